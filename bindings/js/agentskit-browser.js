// The entry `turnwire/agentskit` of browsers.
import { start } from './start.js';

await start(new URL('./turnwire_js_bg.wasm', import.meta.url));

export * from './agentskit.js';
