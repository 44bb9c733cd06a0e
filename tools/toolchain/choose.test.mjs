import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseToolchain } from './choose.mjs';

const NOTHING = {
  wanted: undefined,
  pathHasTarget: false,
  rustupMayAdd: false,
  debianHasTarget: false,
  debianMayInstall: false,
};
const choose = (probes) => chooseToolchain({ ...NOTHING, ...probes });

test('the Rust on PATH comes first', () => {
  const all = { rustupMayAdd: true, debianHasTarget: true, debianMayInstall: true };
  assert.equal(choose({ pathHasTarget: true, ...all }), 'path');
});

test('rustup is tried before anything is installed', () => {
  assert.equal(choose({ rustupMayAdd: true, debianMayInstall: true }), 'rustup');
});

test("Debian's Rust is used where it is ready, without trying rustup", () => {
  assert.equal(choose({ rustupMayAdd: true, debianHasTarget: true }), 'debian');
});

test("Debian's Rust is installed where rustup could not help", () => {
  assert.equal(choose({ debianMayInstall: true }), 'debian-install');
});

test('without any way there is no toolchain', () => {
  assert.equal(choose({}), 'none');
});

test('what the user wants is never replaced by the other', () => {
  assert.equal(choose({ wanted: 'debian', pathHasTarget: true, rustupMayAdd: true }), 'none');
  assert.equal(
    choose({ wanted: 'debian', pathHasTarget: true, debianMayInstall: true }),
    'debian-install',
  );
  assert.equal(choose({ wanted: 'path', debianHasTarget: true, debianMayInstall: true }), 'none');
  assert.equal(choose({ wanted: 'path', debianHasTarget: true, rustupMayAdd: true }), 'rustup');
});
