// The registry of components: what is drawn, and what is said of what is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createComponentRegistry, decodeComponentFrame, defineComponent } from 'turnwire/agentskit';
import { fault } from './faults.mjs';

const { frame } = decodeComponentFrame({
  protocol: 'agentskit.chat.component',
  version: 1,
  type: 'render',
  componentKey: 'progress',
  instanceId: 'p1',
  props: { percent: 40 },
  fallback: { kind: 'progress', summary: '40 % done' },
});

const isProgress = (props) => typeof props?.percent === 'number';
const words = ({ instanceId, props }) => `${instanceId}: ${props.percent} %`;
const progress = defineComponent(isProgress, words);
const refusal = (code, message) => ({ ok: false, diagnostic: { code, message, retryable: false } });
const UNKNOWN = refusal('COMPONENT_UNKNOWN', 'Component is not registered.');
const INVALID_PROPS = refusal('COMPONENT_INVALID_PROPS', 'Component props are invalid.');

/** A schema as its libraries have them. */
const schema = (validate) => ({ '~standard': { version: 1, vendor: 'test', validate } });

test('a frame is drawn by the view of its key', () => {
  const registry = createComponentRegistry({
    progress,
    other: defineComponent(isProgress, String),
  });
  assert.deepEqual(registry.draw(frame), { ok: true, view: 'p1: 40 %' });
  assert.deepEqual([registry.has('progress'), registry.has('table')], [true, false]);
});

test('a key that nobody knows is told before props that are invalid', () => {
  const registry = createComponentRegistry({ progress });
  const props = { percent: '40' };
  assert.deepEqual(registry.draw({ ...frame, props }), INVALID_PROPS);
  assert.deepEqual(registry.draw({ ...frame, props, componentKey: 'table' }), UNKNOWN);
});

test('what objects inherit is no component', () => {
  const inherited = Object.create({ progress });
  const prototype = JSON.parse('{"__proto__":{}}');
  for (const components of [{}, inherited, { __proto__: { progress } }]) {
    const registry = createComponentRegistry(components);
    for (const componentKey of ['progress', '__proto__', 'constructor', 'toString', undefined]) {
      assert.deepEqual(registry.draw({ ...frame, componentKey }), UNKNOWN);
      assert.equal(registry.has(componentKey), false);
    }
  }
  assert.throws(() => createComponentRegistry(prototype), fault('invalid-argument'));
  const registry = createComponentRegistry({ constructor: progress });
  assert.equal(registry.draw({ ...frame, componentKey: 'constructor' }).view, 'p1: 40 %');
});

test('components that are added later are not known', () => {
  const components = { progress };
  const registry = createComponentRegistry(components);
  components.table = progress;
  delete components.progress;
  assert.deepEqual([registry.has('table'), registry.has('progress')], [false, true]);
});

test('a schema checks the props, and its output is what the view gets', () => {
  const validate = (props) =>
    isProgress(props) ? { value: { percent: props.percent / 100 } } : { issues: [] };
  const registry = createComponentRegistry({ progress: defineComponent(schema(validate), words) });
  assert.deepEqual(registry.draw(frame), { ok: true, view: 'p1: 0.4 %' });
  assert.deepEqual(registry.draw({ ...frame, props: null }), INVALID_PROPS);
  assert.deepEqual(frame.props, { percent: 40 }, 'the frame stays as it was');
});

test('a schema may be a function too, and a sound value may be undefined', () => {
  const callable = Object.assign(
    () => false,
    schema(() => ({ value: undefined })),
  );
  const registry = createComponentRegistry({
    progress: defineComponent(callable, ({ props }) => [props]),
  });
  assert.deepEqual(registry.draw(frame), { ok: true, view: [undefined] });
});

test('a schema that wants to be waited for is an error, and its failure nobody’s', async (t) => {
  const unhandled = [];
  const note = (reason) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  for (const validate of [async () => ({ value: 1 }), () => Promise.reject(new Error('no'))]) {
    const registry = createComponentRegistry({
      progress: defineComponent(schema(validate), words),
    });
    assert.throws(() => registry.draw(frame), fault('invalid-argument'));
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(unhandled, []);
});

test('what a view, a guard or a schema throws is the caller’s', () => {
  const broken = new Error('broken');
  const breaks = () => {
    throw broken;
  };
  for (const component of [
    defineComponent(isProgress, breaks),
    defineComponent(breaks, words),
    defineComponent(schema(breaks), words),
  ]) {
    const registry = createComponentRegistry({ progress: component });
    assert.throws(
      () => registry.draw(frame),
      (error) => error === broken,
    );
  }
});

test('what makes no component and no registry is refused at once', () => {
  for (const [props, view] of [
    [undefined, words],
    [null, words],
    ['progress', words],
    [{ '~standard': {} }, words],
    [isProgress, undefined],
  ]) {
    assert.throws(() => defineComponent(props, view), fault('invalid-argument'));
  }
  for (const components of [
    undefined,
    null,
    'progress',
    { Progress: progress },
    { 'a b': progress },
    { '': progress },
    { [`a${'b'.repeat(64)}`]: progress },
    { progress: isProgress },
    { progress: undefined },
  ]) {
    assert.throws(() => createComponentRegistry(components), fault('invalid-argument'));
  }
});
