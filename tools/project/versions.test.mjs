import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAtLeast, lockedVersion, reportedVersion, requiredRust } from './versions.mjs';

const LOCK = `version = 4

[[package]]
name = "wasm-bindgen"
version = "0.2.130"
source = "registry"

[[package]]
name = "wasm-bindgen-futures"
version = "0.4.80"
`;

test('a locked version is that of the package with exactly this name', () => {
  assert.equal(lockedVersion(LOCK, 'wasm-bindgen'), '0.2.130');
  assert.equal(lockedVersion(LOCK, 'wasm-bindgen-futures'), '0.4.80');
});

test('a package that is not locked is a failure that names it', () => {
  assert.throws(() => lockedVersion(LOCK, 'wasm-bind'), /no package wasm-bind;/);
});

test('the required Rust comes from the manifest', () => {
  assert.equal(requiredRust('[workspace.package]\nrust-version = "1.95"\n'), '1.95');
});

test('versions are found in what programs print', () => {
  assert.equal(reportedVersion('rustc 1.96.0 (ac68faa20 2026-05-25)'), '1.96.0');
  assert.equal(reportedVersion('wasm-bindgen 0.2.130\n'), '0.2.130');
  assert.equal(reportedVersion(''), undefined);
});

test('versions are compared by number, part by part', () => {
  assert.equal(isAtLeast('1.100.0', '1.95'), true);
  assert.equal(isAtLeast('1.95', '1.95.0'), true);
  assert.equal(isAtLeast('1.63.0', '1.95'), false);
  assert.equal(isAtLeast('2.0', '1.95'), true);
});
