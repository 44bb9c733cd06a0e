import { invalidArgument } from './error.js';

/** The options as the wasm side reads them: one JSON text. */
export function settingsOf(options) {
  const { sessionId, headers, body, timeouts, limits, onNotice } = options;
  const settings = {
    sessionId,
    headers: headers ? pairsOf(headers) : undefined,
    body,
    timeouts: timeouts && checked('timeouts', timeouts),
    limits: limits && checked('limits', limits),
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

/** A record, a `Headers` or a list of pairs as a list of pairs. */
function pairsOf(headers) {
  if (typeof headers !== 'object') throw invalidArgument('options.headers: expected an object');
  return Symbol.iterator in headers ? [...headers] : Object.entries(headers);
}

// JSON has null for NaN, which the wasm side would take for "no bound".
function checked(name, numbers) {
  for (const [key, value] of Object.entries(numbers)) {
    if (Number.isNaN(value)) throw invalidArgument(`options.${name}.${key}: expected a number`);
  }
  return numbers;
}
