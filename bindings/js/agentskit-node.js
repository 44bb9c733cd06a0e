// The entry `turnwire/agentskit` of Node and of what runs its modules.
import { readFileSync } from 'node:fs';
import { startSync } from './start.js';

startSync(readFileSync(new URL('./turnwire_js_bg.wasm', import.meta.url)));

export * from './agentskit.js';
