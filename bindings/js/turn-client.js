import { createInteractionEvent, createSelectionEvent } from './agentskit-interactions.js';
import { textOfTurnEvent } from './agentskit-values.js';
import { invalidArgument } from './error.js';
import { settingsOf } from './settings.js';
import { createTurnSnapshotCursor, cursorOf } from './snapshot-cursor.js';
import { storeOver } from './store.js';
import { TurnSessionHandle } from './turnwire_js.js';

export function createTurnClient(options) {
  if (typeof options !== 'object' || options === null) {
    throw invalidArgument('options: expected an object');
  }
  const { url, headers, timeouts, limits, reconnect } = options;
  const settings = settingsOf({ headers, timeouts, limits, reconnect });
  const saved = savedCursorOf(options);
  const { alive, run, subscribe, dispose } = storeOver(
    'session',
    (onChange) => new TurnSessionHandle(url, saved, settings, onChange),
  );

  // A component that is drawn once more while it goes away still has something to draw.
  let last;
  const client = {
    getSnapshot: () => last ?? alive().state(),
    getCursor: () => cursorOf(alive().cursor()),
    subscribe,
    apply: (event) => alive().apply(textOfTurnEvent(event)),
    submit: (input) => run((handle) => handle.submit(inputOf(input))),
    stop: () => alive().stop(),
    dispose() {
      if (last !== undefined) return;
      const handle = alive();
      dispose();
      last = handle.state();
    },
  };
  if (Symbol.dispose) client[Symbol.dispose] = client.dispose;
  return client;
}

function savedCursorOf({ cursor, sessionId }) {
  if (cursor === undefined || cursor === null) return createTurnSnapshotCursor(sessionId).save();
  if (sessionId !== undefined) {
    throw invalidArgument('options: expected a cursor or the id of a session, found both');
  }
  if (typeof cursor.save === 'function') return cursor.save();
  throw invalidArgument('options.cursor: expected a cursor');
}

/** What somebody typed, or the JSON of what was done with a component. */
function inputOf(input) {
  if (typeof input === 'string') return input;
  const { type, choiceId, event, value } = input ?? {};
  if (type === 'select') return JSON.stringify(createSelectionEvent(input, choiceId));
  if (type === 'interact') return JSON.stringify(createInteractionEvent(input, event, value));
  throw invalidArgument('input: expected a string, a selection or an interaction');
}
