// Frames and answers of the wasm side → what callers get: plain objects, exactly as sent.

/** The event of a frame that is one. A frame's own name stands in for a `type` that it lacks. */
export function eventOf(json, type) {
  const event = JSON.parse(json);
  return Object.hasOwn(event, 'type') ? event : { type, ...event };
}

/** Reports integers that JavaScript rounds. */
export function noticeIntegers(integers, offset, { onNotice }) {
  if (integers === undefined) return;
  const message = `${integers.length} integer(s) are beyond 2^53-1 and were rounded`;
  onNotice?.({ code: 'precision-loss', message, integers, offset });
}

/** The event of a frame, or `undefined` if it is none and the caller was told. */
export function receivedEvent([json, type, , offset, error, integers], options) {
  if (error !== undefined) {
    report(error, json, options);
    return undefined;
  }
  noticeIntegers(integers, offset, options);
  return eventOf(json, type);
}

/** The result in an answer, without events that are none. */
export function resultOf([json, damaged, integers], options) {
  const result = JSON.parse(json);
  for (const [index, error] of damaged)
    report(error, JSON.stringify(result.events[index]), options);
  if (damaged.length > 0) {
    const faulty = new Set(damaged.map(([index]) => index));
    result.events = result.events.filter((_, index) => !faulty.has(index));
  }
  noticeIntegers(integers, undefined, options);
  return result;
}

/** A damaged event ends things, unless somebody takes note of it. */
function report(error, raw, { onDecodeError }) {
  if (onDecodeError === undefined) throw error;
  onDecodeError(error, raw);
}
