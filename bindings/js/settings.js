import { invalidArgument } from './error.js';

/**
 * The options as the wasm side reads them: one JSON text, or a list of it and what gives headers
 * where they come from a function.
 */
export function settingsOf(options) {
  const { headers } = options;
  if (typeof headers !== 'function') return jsonOf(options, pairsOf(headers));
  // It throws nothing: whatever the caller's function does comes out as a rejection.
  const source = async (refresh) => JSON.stringify(pairsOf(await headers({ refresh })));
  return [jsonOf(options, []), source];
}

function jsonOf(options, headers) {
  const { sessionId, body, timeouts, limits, reconnect, alone, onNotice } = options;
  const settings = {
    sessionId,
    headers,
    body,
    timeouts: timeouts && checked('timeouts', timeouts),
    limits: limits && checked('limits', limits),
    reconnect: reconnect && checked('reconnect', reconnect),
    alone,
    reportsIntegers: onNotice !== undefined,
  };
  try {
    return JSON.stringify(settings);
  } catch (error) {
    throw invalidArgument(`options: expected what JSON can hold: ${error.message}`, error);
  }
}

/** The options, or none. */
export function optionsOf(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object') throw invalidArgument('options: expected an object');
  return options;
}

/** A record, a `Headers` or a list of pairs as a list of pairs; null for what is none of these. */
function pairsOf(headers) {
  if (!headers) return [];
  if (typeof headers !== 'object') return null;
  return Symbol.iterator in headers ? [...headers] : Object.entries(headers);
}

// JSON has null for NaN, which the wasm side would take for "no bound".
function checked(name, numbers) {
  for (const [key, value] of Object.entries(numbers)) {
    if (Number.isNaN(value)) throw invalidArgument(`options.${name}.${key}: expected a number`);
  }
  return numbers;
}
