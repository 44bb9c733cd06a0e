// The entry of browsers: ready after import, with or without a bundler.
import { start } from './start.js';

await start(new URL('./turnwire_js_bg.wasm', import.meta.url));

export * from './api.js';
