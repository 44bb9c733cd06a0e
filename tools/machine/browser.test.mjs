import assert from 'node:assert/strict';
import { test } from 'node:test';
import { majorVersion, pairBrowser } from './browser.mjs';

test('the major version is found in what browsers and drivers print', () => {
  assert.equal(majorVersion('Chromium 156.0.8078.108 built on Debian\n'), 156);
  assert.equal(majorVersion('ChromeDriver 156.0.8078.108 (abc)\n'), 156);
  assert.equal(majorVersion(''), undefined);
});

test('a browser is paired with a driver of the same major version', () => {
  const browsers = [
    { path: 'chrome', major: 150 },
    { path: 'chromium', major: 156 },
  ];
  const pair = pairBrowser(browsers, [{ path: 'driver', major: 156 }]);
  assert.deepEqual(pair, { chrome: 'chromium', chromedriver: 'driver' });
});

test('a driver of another version is none', () => {
  assert.equal(
    pairBrowser([{ path: 'chrome', major: 150 }], [{ path: 'driver', major: 156 }]),
    undefined,
  );
  assert.equal(pairBrowser([{ path: 'chrome' }], [{ path: 'driver' }]), undefined);
});
