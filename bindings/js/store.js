import { closed, invalidArgument } from './error.js';

/**
 * What all stores of this package have: subscribers, and a handle on the wasm side that `make`
 * makes with what tells them, until it is disposed of. `what` names the store in errors.
 */
export function storeOver(what, make) {
  const listeners = new Set();
  let handle = make(notifier(listeners));

  function alive() {
    if (handle === undefined) throw closed(what);
    return handle;
  }

  return {
    alive,

    // What fails is in the state as well: a promise that nobody looks at must not end the program.
    run(action) {
      const outcome = (async () => action(alive()))();
      outcome.catch(() => {});
      return outcome;
    },

    subscribe(listener) {
      alive();
      if (typeof listener !== 'function') throw invalidArgument('listener: expected a function');
      const entry = { listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },

    dispose() {
      if (handle === undefined) return;
      const disposed = handle;
      handle = undefined;
      listeners.clear();
      disposed.close();
      // A listener may dispose of the store that calls it: the handle is in use until that is over.
      queueMicrotask(() => disposed.free());
    },
  };
}

/**
 * Tells every listener; what one throws is reported, and the others hear of the change all the
 * same. It stands alone because the wasm side holds it: it must not keep the store alive.
 */
function notifier(listeners) {
  return () => {
    for (const entry of [...listeners]) {
      if (!listeners.has(entry)) continue;
      try {
        entry.listener();
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  };
}
