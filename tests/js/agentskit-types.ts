// What the types of `turnwire/agentskit` promise. Nothing here runs: it is enough that it compiles,
// and that each line below a `@ts-expect-error` does not.
import {
  AssistantContentDecoder,
  type AssistantContentPart,
  createSelectionEvent,
  createTurnSnapshotCursor,
  decodeAssistantContent,
  decodeTurnEvent,
  snapshotMessages,
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
