import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The headless shell draws the same pages with a quarter less CPU than the whole browser. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
const CHROMIUM = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place)) ?? PLACES[0];

/** No page lives long enough to earn what its optimizing compilers cost: a seventh of the CPU. */
const ARGS = ['--no-sandbox', '--disable-gpu', '--js-flags=--no-opt --no-maglev'];

/** Where continuous integration runs, a missing browser is a failure; elsewhere these tests say why they don't run. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.CI === 'true';
if (!hasBrowser)
  console.warn(
    `tests/browser: skipped, there is no ${CHROMIUM} (apt-get install chromium-headless-shell, or set CHROMIUM)`,
  );

/**
 * Set in a process that `bun test --parallel` hands one file after the other. Chromium ends with the process:
 * it quits when the pipe to it closes.
 */
const isWorker = process.env.BUN_TEST_WORKER_ID !== undefined;

/** What the worlds of this process share: launching Chromium and compiling the scripts takes seconds. */
let launched: Promise<Browser> | undefined;
let users = 0;
const idle: Page[] = [];

/** A browser that `release` gives back; the last one closes it. */
export async function acquireBrowser(): Promise<Browser> {
  users += 1;
  if (launched !== undefined && !(await launched).isConnected()) {
    launched = undefined;
    idle.length = 0;
  }
  launched ??= chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  return launched;
}

export async function releaseBrowser(): Promise<void> {
  users -= 1;
  if (users > 0 || isWorker || launched === undefined) return;
  const browser = await launched;
  launched = undefined;
  idle.length = 0;
  await browser.close();
}

/**
 * The page of a private context with nothing stored in it. One that was given back is taken before a new one:
 * its process has compiled the scripts, which is worth more than a second of work.
 */
export const acquirePage = async (browser: Browser): Promise<Page> =>
  idle.pop() ?? (await browser.newContext()).newPage();

/** Forgets what the page, its cookies and its site stored, and keeps its process: `url` is of the same site. */
export async function releasePage(page: Page, url: string): Promise<void> {
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${url}/healthz`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.context().clearCookies();
  idle.push(page);
}
