import { invalidArgument } from './error.js';
import { checkComponentKey } from './turnwire_js.js';

const UNKNOWN = refusal('COMPONENT_UNKNOWN', 'Component is not registered.');
const INVALID_PROPS = refusal('COMPONENT_INVALID_PROPS', 'Component props are invalid.');

export function defineComponent(props, view) {
  const read = readerOf(props);
  if (typeof view !== 'function') throw invalidArgument('view: expected a function');
  return Object.freeze({
    draw(frame) {
      const found = read(frame.props);
      if (found === undefined) return INVALID_PROPS;
      return { ok: true, view: view({ ...frame, props: found.value }) };
    },
  });
}

export function createComponentRegistry(components) {
  if (typeof components !== 'object' || components === null) {
    throw invalidArgument('components: expected an object');
  }
  // Its own properties only: what every object inherits is no component.
  const known = new Map(Object.entries(components));
  for (const [key, component] of known) {
    checkComponentKey(key);
    if (typeof component?.draw !== 'function') {
      throw invalidArgument(`${key}: expected what defineComponent gives`);
    }
  }
  return {
    has: (componentKey) => known.has(componentKey),
    draw: (frame) => known.get(frame?.componentKey)?.draw(frame) ?? UNKNOWN,
  };
}

/** A reader of props: it gives what the view gets, in an object, or nothing. */
function readerOf(props) {
  const validate = props?.['~standard']?.validate;
  if (typeof validate === 'function') return readerOfSchema(props);
  if (typeof props === 'function') return (value) => (props(value) ? { value } : undefined);
  throw invalidArgument('props: expected a guard or a Standard Schema');
}

function readerOfSchema(schema) {
  return (value) => {
    const result = schema['~standard'].validate(value);
    if (typeof result?.then === 'function') throw asynchronous(result);
    return result.issues === undefined ? { value: result.value } : undefined;
  };
}

/** Nobody waits for the result, so nobody is to hear of its failure either. */
function asynchronous(result) {
  result.then(undefined, () => {});
  return invalidArgument('props: expected a schema that validates synchronously');
}

function refusal(code, message) {
  return Object.freeze({
    ok: false,
    diagnostic: Object.freeze({ code, message, retryable: false }),
  });
}
