// A headless Chromium that asks the network for nothing by itself.
import { chromium } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Starts one that lives as long as the test `t`. */
export async function startBrowser(t) {
  const executablePath = process.env.CHROME;
  if (!executablePath) throw new Error('CHROME is not set: run `npm test -- js`');
  const browser = await chromium.launch({ executablePath, args: ARGS });
  t.after(() => browser.close());
  return browser;
}

/** A new page at an address. */
export async function openPage(browser, t, url) {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(url);
  return page;
}
