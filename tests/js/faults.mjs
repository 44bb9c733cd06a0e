// What an error has to be for a test.
import assert from 'node:assert/strict';
import { TurnwireError } from 'turnwire';

/** A check for `assert.rejects` and `assert.throws`: the package's own error with these fields. */
export function fault(code, fields = {}) {
  return (error) => {
    assert.ok(error instanceof TurnwireError, `expected a TurnwireError, found ${error?.stack}`);
    const found = Object.fromEntries(Object.keys(fields).map((name) => [name, error[name]]));
    assert.deepEqual({ code: error.code, ...found }, { code, ...fields }, error.message);
    return true;
  };
}
