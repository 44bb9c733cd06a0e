import { closed, invalidArgument } from './error.js';
import { optionsOf, settingsOf } from './settings.js';
import { ChatHandle } from './turnwire_js.js';

export function createChat(options) {
  if (typeof options !== 'object' || options === null) {
    throw invalidArgument('options: expected an object');
  }
  const listeners = new Set();
  const { baseUrl, agent, sessionId, headers, timeouts, limits, reconnect, page } = options;
  const settings = settingsOf({ headers, timeouts, limits, reconnect, alone: page === false });
  let handle = new ChatHandle(baseUrl, agent, settings, notifier(listeners));

  function alive() {
    if (handle === undefined) throw closed('chat');
    return handle;
  }

  // What fails is in the state as well: a promise that nobody looks at must not end the program.
  function run(action) {
    const outcome = (async () => action(alive()))();
    outcome.catch(() => {});
    return outcome;
  }

  function dispose() {
    if (handle === undefined) return;
    const disposed = handle;
    handle = undefined;
    listeners.clear();
    disposed.close();
    // A listener may dispose of the chat that calls it: the handle is in use until that is over.
    queueMicrotask(() => disposed.free());
  }

  const chat = {
    getState: () => alive().state(),
    subscribe(listener) {
      alive();
      if (typeof listener !== 'function') throw invalidArgument('listener: expected a function');
      const entry = { listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    send: (text, options) => run((handle) => handle.send(text, optionsOf(options).onPending)),
    approve: (id) => run((handle) => handle.approve(id)),
    deny: (id) => run((handle) => handle.deny(id)),
    answer: (id, text) => run((handle) => handle.answer(id, text)),
    open: (sessionId) => run((handle) => handle.open(sessionId)),
    withdrawDecision: (id) => alive().withdrawDecision(id),
    withdrawMessage: (key) => alive().withdrawMessage(key),
    retry: () => run((handle) => handle.retry()),
    stop: () => alive().stop(),
    dispose,
  };
  if (Symbol.dispose) chat[Symbol.dispose] = dispose;
  if (sessionId !== undefined && sessionId !== null) chat.open(sessionId);
  else handle.recover();
  return chat;
}

/**
 * Tells every listener; what one throws is reported, and the others hear of the change all the
 * same. It stands alone because the wasm side holds it: it must not keep the chat alive.
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
