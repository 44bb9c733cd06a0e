import { invalidArgument } from './error.js';
import { optionsOf, settingsOf } from './settings.js';
import { Call } from './turnwire_js.js';

/** Calls `stop` when the signal aborts; the function that is returned ends that. */
export function onAbort(signal, stop) {
  if (signal === undefined || signal === null) return () => {};
  if (typeof signal.addEventListener !== 'function') {
    throw invalidArgument('options.signal: expected an AbortSignal');
  }
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}

/** Makes one request that the options' signal stops, and rejects with the signal's reason then. */
export async function withCall(baseUrl, given, request) {
  const options = optionsOf(given);
  const { signal } = options;
  if (signal?.aborted) throw signal.reason;
  const call = new Call(baseUrl, settingsOf(options));
  let release;
  try {
    release = onAbort(signal, () => call.cancel());
    return await request(call, options);
  } catch (error) {
    throw signal?.aborted && error.code === 'aborted' ? signal.reason : error;
  } finally {
    release?.();
    call.free();
  }
}
