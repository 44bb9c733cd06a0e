import { invalidArgument } from './error.js';
import { optionsOf, settingsOf } from './settings.js';
import { storeOver } from './store.js';
import { ChatHandle } from './turnwire_js.js';

export function createChat(options) {
  if (typeof options !== 'object' || options === null) {
    throw invalidArgument('options: expected an object');
  }
  const { baseUrl, agent, sessionId, headers, timeouts, limits, reconnect, page } = options;
  const settings = settingsOf({ headers, timeouts, limits, reconnect, alone: page === false });
  const { alive, run, subscribe, dispose } = storeOver(
    'chat',
    (onChange) => new ChatHandle(baseUrl, agent, settings, onChange),
  );

  const chat = {
    getState: () => alive().state(),
    subscribe,
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
  else alive().recover();
  return chat;
}
