// What the types of `turnwire/agentskit` promise. Nothing here runs: it is enough that it compiles,
// and that each line below a `@ts-expect-error` does not.
import {
  AssistantContentDecoder,
  type AssistantContentPart,
  type ComponentDefinition,
  type ComponentInteractionEvent,
  type ComponentRegistry,
  type ComponentRenderFrame,
  type ComponentSelectionEvent,
  createComponentRegistry,
  createSelectionEvent,
  createTurnClient,
  createTurnSnapshotCursor,
  decodeAssistantContent,
  decodeTurnEvent,
  defineComponent,
  fallbackText,
  readComponentEvent,
  restoreTurnSnapshotCursor,
  snapshotMessages,
  type TurnClientState,
  type TurnSnapshotEvent,
} from 'turnwire/agentskit';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where both types are the same one. */
declare function same<A, B>(...proof: Equal<A, B> extends true ? [] : [never]): void;

export function narrowsResults(input: unknown) {
  const result = decodeTurnEvent(input);
  if (!result.ok) {
    same<typeof result.diagnostic.eventId, string | undefined>();
    // @ts-expect-error what was refused is not told
    return result.event;
  }
  if (result.event.event !== 'server.turn.snapshot') return undefined;
  same<typeof result.event, TurnSnapshotEvent>();
  return snapshotMessages(result.event).map(({ createdAt }) => createdAt.getTime());
}

export function narrowsParts(part: AssistantContentPart) {
  if (part.kind === 'text') return part.text;
  // @ts-expect-error props are nobody's until they are checked
  part.frame.props.percent;
  return createSelectionEvent(part.frame, 'yes').choiceId;
}

export function decodesInChunks(chunk: string) {
  using decoder = new AssistantContentDecoder({ keepSoundRecords: true });
  same<ReturnType<typeof decoder.push>, AssistantContentPart[]>();
  // @ts-expect-error it is read, not set
  decoder.complete = true;
  const whole = decodeAssistantContent(chunk);
  if (whole.ok) same<typeof whole.complete, boolean>();
  return createTurnSnapshotCursor('s').getSnapshot()?.payload.status;
}

/** As React declares it. */
declare function useSyncExternalStore<Snapshot>(
  subscribe: (onChange: () => void) => () => void,
  getSnapshot: () => Snapshot,
): Snapshot;

export async function submitsTurns(url: string, saved: string, choice: ComponentSelectionEvent) {
  using client = createTurnClient({ url, sessionId: 's', headers: async () => ({ a: 'b' }) });
  const state = useSyncExternalStore(client.subscribe, client.getSnapshot);
  same<typeof state, TurnClientState>();
  if (state.phase === 'reconnecting') same<typeof state.attempt, number>();
  // @ts-expect-error states are read, not written
  state.damagedLines = 0;
  await client.submit('hello');
  await client.submit(choice);
  // @ts-expect-error nothing else is an input
  await client.submit({ type: 'render' });
  same<typeof client.apply, (event: unknown) => boolean>();
  const cursor = restoreTurnSnapshotCursor(saved);
  createTurnClient({ url, cursor, reconnect: { attempts: 0 } });
  // @ts-expect-error a cursor has its session
  createTurnClient({ url, cursor, sessionId: 's' });
  // @ts-expect-error without a session there are no turns
  createTurnClient({ url });
  return client.getCursor().getSnapshot()?.sequence;
}

interface TableProps {
  readonly rows: readonly string[];
}

declare function isTable(props: unknown): props is TableProps;
declare function isSomething(props: unknown): boolean;

/** As Zod and others declare their schemas. */
interface Schema<Input, Output> {
  parse(value: unknown): Output;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'test';
    readonly validate: (
      value: unknown,
      options?: { readonly deep: boolean },
    ) =>
      | { readonly value: Output; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string }[] }
      | Promise<{ readonly issues: readonly { readonly message: string }[] }>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export function drawsComponents(frame: ComponentRenderFrame, progress: Schema<string, number>) {
  const table = defineComponent(isTable, (component) => {
    same<typeof component, ComponentRenderFrame<TableProps>>();
    return component.props.rows.join();
  });
  same<typeof table, ComponentDefinition<string>>();
  const bar = defineComponent(progress, ({ props, instanceId }) => `${instanceId}: ${props + 1}`);
  const registry = createComponentRegistry({ table, progress: bar });
  same<typeof registry, ComponentRegistry<string>>();
  const drawing = registry.draw(frame);
  if (drawing.ok) return drawing.view;
  same<typeof drawing.diagnostic.code, 'COMPONENT_UNKNOWN' | 'COMPONENT_INVALID_PROPS'>();
  // @ts-expect-error there is no view without a component
  return drawing.view;
}

export function refusesWhatDoesNotFit(frame: ComponentRenderFrame) {
  // @ts-expect-error a table has no percentage
  defineComponent(isTable, ({ props }) => props.percent);
  // @ts-expect-error the view is for other props than the guard
  defineComponent(isTable, (component: ComponentRenderFrame<{ percent: number }>) => component);
  // @ts-expect-error whoever says only yes or no does not say what the props are
  defineComponent(isSomething, (component: ComponentRenderFrame<TableProps>) => component);
  // @ts-expect-error a name is no guard
  defineComponent('table', () => null);
  // @ts-expect-error a schema is no component without its view
  createComponentRegistry({ table: isTable });
  const words = defineComponent(isTable, () => 'a table');
  // @ts-expect-error not the view that was asked for
  createComponentRegistry<number>({ table: words });
  // @ts-expect-error a key is not enough to draw
  createComponentRegistry({ table: words }).draw(frame.componentKey);
}

export function readsWhatWasDone(input: unknown, parts: AssistantContentPart[]) {
  const event = readComponentEvent(input);
  same<typeof event, ComponentSelectionEvent | ComponentInteractionEvent | undefined>();
  if (event?.type === 'select') return event.choiceId;
  // @ts-expect-error an interaction is no choice
  event?.choiceId;
  // @ts-expect-error a part is not its text
  fallbackText(['hello']);
  return fallbackText(parts);
}
