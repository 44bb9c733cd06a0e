// Replaces the global fetch, and tells what was done with it.
//
// Steps of a body: a string is a chunk in which <turnId> is the request's; { wait: ms }, { fail: name }, { raw: value } is a chunk that
// is no bytes; after the last one the body ends, or stays open with `open`.
({
  head,
  steps = [],
  status = 200,
  type = 'text/event-stream',
  redirected = false,
  open = false,
}) => {
  const log = { calls: 0, aborts: 0, cancels: 0, unhandled: 0, armed: 0 };
  const real = {
    fetch: globalThis.fetch,
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
  };
  const wait = (ms) => new Promise((resolve) => real.setTimeout.call(globalThis, resolve, ms));
  const heads = {
    never: (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    abortError: () => Promise.reject(new DOMException('The user aborted a request.', 'AbortError')),
    throwsNull: () => {
      throw null;
    },
    throwsSymbol: () => {
      throw Symbol('x');
    },
    throwsTrap: () => {
      throw new Proxy(() => {}, {
        get: () => {
          throw new Error('trap');
        },
      });
    },
    rejectsUndefined: () => Promise.reject(undefined),
    rejectsText: () => Promise.reject('offline'),
    rejectsAddress: () => Promise.reject(new TypeError('Failed to parse http://u:secret@h/')),
    number: () => 5,
    undefined: () => undefined,
    hollow: () => ({}),
    thenable: () => ({
      // biome-ignore lint/suspicious/noThenProperty: what a trap looks like
      then: () => {
        throw 'late';
      },
    }),
    noBody: () => new Response(null, { status: 204 }),
  };
  const turnIdIn = (body) => /"turnId":"(\w+)"/.exec(body)?.[1];
  const source = ({ signal, body }) => {
    let next = 0;
    return {
      start: (controller) =>
        signal.addEventListener('abort', () => {
          try {
            controller.error(signal.reason);
          } catch {
            // It is over already.
          }
        }),
      pull: async (controller) => {
        while (steps[next]?.wait) await wait(steps[next++].wait);
        const step = steps[next++];
        if (step === undefined) {
          return open ? new Promise(() => {}) : controller.close();
        }
        if (typeof step === 'string') {
          const text = step.replaceAll('<turnId>', turnIdIn(body));
          controller.enqueue(new TextEncoder().encode(text));
        } else if (step.fail) controller.error(new DOMException('gone', step.fail));
        else controller.enqueue(step.raw);
      },
      cancel: () => {
        log.cancels += 1;
      },
    };
  };
  globalThis.fetch = (url, init) => {
    log.calls += 1;
    Object.assign(log, { url, method: init.method, body: init.body ?? null });
    log.headers = JSON.stringify(init.headers);
    init.signal.addEventListener('abort', () => {
      log.aborts += 1;
    });
    if (head) return heads[head](init.signal);
    const body = new ReadableStream(source(init), { highWaterMark: 0 });
    const response = new Response(body, { status, headers: { 'content-type': type } });
    Object.defineProperty(response, 'redirected', { value: redirected });
    return Promise.resolve(response);
  };
  globalThis.setTimeout = (...args) => {
    log.armed += 1;
    const [callback, ...rest] = args;
    let ran = false;
    const id = real.setTimeout.call(
      globalThis,
      () => {
        ran = true;
        log.armed -= 1;
        callback();
      },
      ...rest,
    );
    return { id, isOver: () => ran };
  };
  globalThis.clearTimeout = (timer) => {
    if (timer && !timer.isOver()) log.armed -= 1;
    real.clearTimeout.call(globalThis, timer?.id);
  };
  const unhandled = (event) => {
    log.unhandled += 1;
    event?.preventDefault?.();
  };
  const node = globalThis.process?.on ? globalThis.process : undefined;
  if (node) node.on('unhandledRejection', unhandled);
  else globalThis.addEventListener('unhandledrejection', unhandled);
  log.rest = () => wait(30);
  log.restore = () => {
    Object.assign(globalThis, real);
    if (node) node.off('unhandledRejection', unhandled);
    else globalThis.removeEventListener('unhandledrejection', unhandled);
  };
  return log;
};
