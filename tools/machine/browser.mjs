import { Failure } from '../report/failure.mjs';
import { installPackages } from './apt.mjs';
import { capture, findProgram } from './command.mjs';

const BROWSERS = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const PACKAGES = ['chromium', 'chromium-driver', 'fonts-liberation', 'fonts-noto-color-emoji'];
const SENTENCE =
  'The browser tests need Chrome (or Chromium) and a ChromeDriver of the same version: install both ' +
  `(on Debian: apt-get install ${PACKAGES.join(' ')}) or name them in CHROME and CHROMEDRIVER.`;

/** The first number of a version line such as `ChromeDriver 156.0.8078.108 (…)`. */
export function majorVersion(text) {
  const match = /(\d+)\.\d+/.exec(text);
  return match ? Number(match[1]) : undefined;
}

/** The first browser and driver that have the same major version, or `undefined`. */
export function pairBrowser(browsers, drivers) {
  for (const chrome of browsers) {
    const driver = drivers.find(({ major }) => major !== undefined && major === chrome.major);
    if (driver) return { chrome: chrome.path, chromedriver: driver.path };
  }
  return undefined;
}

async function probe(names) {
  const paths = names.filter(Boolean).map((name) => findProgram(name));
  const found = [...new Set(paths)].filter(Boolean);
  return Promise.all(
    found.map(async (path) => ({
      path,
      major: majorVersion((await capture(path, ['--version'])).stdout),
    })),
  );
}

/** Finds a browser and its driver on this machine. */
export async function findBrowser(env = process.env) {
  const browsers = await probe(env.CHROME ? [env.CHROME] : BROWSERS);
  const drivers = await probe([env.CHROMEDRIVER || 'chromedriver']);
  return pairBrowser(browsers, drivers);
}

/** Installs a browser and its driver where Debian's packages can be used. */
export async function installBrowser() {
  await installPackages(PACKAGES, SENTENCE);
  const pair = await findBrowser();
  if (!pair) throw new Failure(SENTENCE);
  return pair;
}
