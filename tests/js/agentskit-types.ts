// What the types of `turnwire/agentskit` promise. Nothing here runs: it is enough that it compiles,
// and that each line below a `@ts-expect-error` does not.
import {
  AssistantContentDecoder,
  type AssistantContentPart,
  type ComponentSelectionEvent,
  createSelectionEvent,
  createTurnClient,
  createTurnSnapshotCursor,
  decodeAssistantContent,
  decodeTurnEvent,
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
  const cursor = restoreTurnSnapshotCursor(saved);
  createTurnClient({ url, cursor, reconnect: { attempts: 0 } });
  // @ts-expect-error a cursor has its session
  createTurnClient({ url, cursor, sessionId: 's' });
  // @ts-expect-error without a session there are no turns
  createTurnClient({ url });
  return client.getCursor().getSnapshot()?.sequence;
}
