// Chats for tests, and what is read in their states.
import { createChat } from 'turnwire';

/** A chat that is disposed of after the test `t`. */
export function chatFor(t, baseUrl, options) {
  const chat = createChat({ baseUrl, agent: 'customer-service', ...options });
  t.after(chat.dispose);
  return chat;
}

/** Resolves to the first state that `accept` likes. */
export function stateWhere(chat, accept) {
  return new Promise((resolve) => {
    const look = () => {
      const state = chat.getState();
      if (!accept(state)) return;
      unsubscribe();
      resolve(state);
    };
    const unsubscribe = chat.subscribe(look);
    look();
  });
}

/** Resolves to the first item that waits. */
export async function firstPending(chat) {
  const { pending } = await stateWhere(chat, ({ pending }) => pending.length > 0);
  return pending[0];
}

/** The last text of the last message. */
export function answerIn({ messages }) {
  const texts = messages.at(-1).parts.filter(({ type }) => type === 'text');
  return texts.at(-1)?.text;
}
