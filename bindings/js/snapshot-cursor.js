import { textOfTurnEvent } from './agentskit-values.js';
import { stringOf } from './error.js';
import { SnapshotCursorHandle } from './turnwire_js.js';

export function createTurnSnapshotCursor(sessionId) {
  return cursorOf(new SnapshotCursorHandle(stringOf(sessionId)));
}

export function restoreTurnSnapshotCursor(saved) {
  return cursorOf(SnapshotCursorHandle.restore(stringOf(saved)));
}

/** The cursor over what the wasm side holds. */
export function cursorOf(handle) {
  let snapshot = frozen(handle);
  return {
    apply(input) {
      const isNewer = handle.apply(textOfTurnEvent(input));
      if (isNewer) snapshot = frozen(handle);
      return isNewer;
    },
    getSnapshot: () => snapshot,
    save: () => handle.save(),
  };
}

/** The snapshot that the cursor holds, frozen all the way down. */
function frozen({ snapshot }) {
  if (snapshot === undefined) return undefined;
  return JSON.parse(snapshot, (_, value) => Object.freeze(value));
}
