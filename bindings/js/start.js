import { TurnwireError } from './error.js';
import initialise, { initSync, setErrorFactory } from './turnwire_js.js';

const MAGIC = '0,97,115,109';

let starting;

function connect() {
  setErrorFactory((fault) => new TurnwireError(fault));
}

/** Starts from a module's bytes, at once. Every later start is this one. */
export function startSync(bytes) {
  if (starting !== undefined) return;
  initSync({ module: bytes });
  connect();
  starting = Promise.resolve();
}

/** Starts from a module's address. Every later start is this one, unless it failed. */
export function start(url) {
  starting ??= load(url).then(connect);
  starting.catch(() => {
    starting = undefined;
  });
  return starting;
}

function loadError(code, message, cause) {
  return new TurnwireError({ code, message, cause, retryable: code === 'wasm-unreachable' });
}

async function load(url) {
  if (typeof WebAssembly !== 'object') {
    throw loadError('wasm-unsupported', 'this environment has no WebAssembly');
  }
  const bytes = await fetchModule(url);
  try {
    await initialise({ module_or_path: bytes });
  } catch (error) {
    throw asLoadError(error);
  }
}

async function fetchModule(url) {
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw loadError('wasm-unreachable', `${url} could not be fetched`, error);
  }
  if (!response.ok) {
    const hint = 'serve the file beside the script that imports it';
    throw loadError('wasm-not-found', `${url} answered with status ${response.status}: ${hint}`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (String(bytes.subarray(0, 4)) === MAGIC) return bytes;
  const type = response.headers.get('content-type') ?? 'no content type';
  const hint = 'a server that answers every path with its page has to serve this file as it is';
  throw loadError('wasm-wrong-file', `${url} is no WebAssembly but ${type}: ${hint}`);
}

function asLoadError(error) {
  if (/unsafe-eval|content security policy/i.test(String(error))) {
    const hint = "add 'wasm-unsafe-eval' to its script-src";
    return loadError('wasm-blocked', `the page's policy forbids WebAssembly: ${hint}`, error);
  }
  return loadError('wasm-failed', `WebAssembly could not be started: ${error}`, error);
}
