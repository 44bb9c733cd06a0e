/** What every function of this package throws or rejects with; see `types.d.ts`. */
export class TurnwireError extends Error {
  constructor({ code, message, cause, retryable = false, ...details }) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = retryable;
    Object.assign(this, details);
  }
}

Object.defineProperty(TurnwireError.prototype, 'name', {
  value: 'TurnwireError',
  configurable: true,
  writable: true,
});

/** The error for an argument that cannot be sent. */
export function invalidArgument(message, cause) {
  return new TurnwireError({ code: 'invalid-argument', message, cause });
}

/** The error for the use of something that was closed. */
export function closed(what) {
  return new TurnwireError({ code: 'closed', message: `the ${what} was closed` });
}

/** The value if it is a string. */
export function stringOf(value) {
  if (typeof value === 'string') return value;
  throw invalidArgument('expected a string');
}
