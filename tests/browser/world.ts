import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Env } from '../../src/config.ts';
import { extendScope, operatorScope } from '../../src/core/tenancy/index.ts';
import { seedDemo } from '../../src/features/demo/index.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { acquireBrowser, acquirePage, releaseBrowser, releasePage } from './browser.ts';
import { openPages } from './browser-test.ts';

/** A served app with a browser in front of it. */
export type World = {
  readonly app: TestApp;
  readonly url: string;
  /**
   * What the server answers instead of the app, if anything. Playwright's own routes disable the browser's cache, and
   * each page load would compile all scripts anew.
   */
  instead: (request: Request) => Response | Promise<Response> | null;
  /** Makes up the last days of a project's traffic; the seed's unless told otherwise. */
  seedDays(days: number): Promise<void>;
  /** A private window with nothing stored but the sign-in. */
  open(options?: WindowOptions): Promise<Window>;
  close(): Promise<void>;
};

export type WindowOptions = {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  /** Of whom; null for a stranger. The seed's owner unless told otherwise. */
  readonly bearer?: string | null;
  /** With an empty cache, for tests that count what is fetched. */
  readonly cold?: boolean;
  /** A script that runs in each page before its own. */
  readonly script?: string;
  /** With timers that `page.clock.runFor` and `runUntil` run ahead of time: for what the page does every few seconds. */
  readonly clock?: boolean;
};

/** A window and what should never happen in one: `complaints` must stay empty. */
export type Window = {
  readonly page: Page;
  /** Errors of scripts and console, violations of the policy, dialogs, requests to other hosts. */
  readonly complaints: string[];
  /** Opens a path and waits until nothing is loading any more. */
  go(path: string): Promise<void>;
  /** Goes there as a link does: the page that is loaded stays, and the caller waits for what it expects there. */
  follow(path: string): Promise<void>;
  close(): Promise<void>;
};

/** Runs the page's timers ahead, half a second at a time, until something is in sight. The window has a `clock`. */
export async function runUntil(seen: Locator): Promise<void> {
  for (let steps = 0; steps < 100 && !(await seen.isVisible()); steps++) await seen.page().clock.runFor(500);
  await seen.waitFor();
}

/** Each world of a process takes the port of the one before: to the browser it is the same site, its cache holds. */
let port = 0;

export async function openWorld(
  options: { empty?: boolean; rateLimits?: false; env?: Env } = {},
): Promise<World> {
  const app = await openTestApp({ now: Date.now(), ...options });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    development: false,
    // The first page waits until the dashboard is built, which takes longer on a busy machine.
    idleTimeout: 60,
    fetch: (request, self) =>
      world.instead(request) ?? app.app.fetch(request, { address: self.requestIP(request)?.address ?? '' }),
  });
  port = server.port ?? 0;
  const url = `http://127.0.0.1:${server.port}`;
  const browser = await acquireBrowser();
  const world: World = {
    app,
    url,
    instead: () => null,
    seedDays: async (days) => {
      const { projectId, organizationId } = app.seed;
      const scope = extendScope(operatorScope({ id: projectId, no: 1, organizationId }), {
        monthlyEvents: 1_000_000,
        monthlyBytes: 1e12,
      });
      await seedDemo(app.ctx, { scope, days, seed: 1, onProgress: () => {} });
    },
    open: (given) => openWindow(browser, app, url, given ?? {}),
    close: async () => {
      await releaseBrowser();
      await server.stop(true);
      await app.close();
    },
  };
  return world;
}

/** Grey bars where content will be. */
const LOADING = '[aria-label=Loading], .mantine-Skeleton-root';

async function openWindow(
  browser: Browser,
  app: TestApp,
  url: string,
  options: WindowOptions,
): Promise<Window> {
  const {
    scheme = 'light',
    width = 1280,
    bearer = app.seed.bearer,
    cold = false,
    script,
    clock = false,
  } = options;
  const isReused = !cold && script === undefined && !clock;
  const page = isReused ? await acquirePage(browser) : await (await browser.newContext()).newPage();
  const context = page.context();
  if (script !== undefined) await page.addInitScript(script);
  if (clock) await page.clock.install();
  if (bearer !== null) await signIn(context, url, bearer);
  await page.setViewportSize({ width, height: 800 });
  // Animations would cost a tenth of the time, and no test looks at one.
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  // Its text would be evaluated in the page, which the policy forbids unless it holds at once.
  Object.assign(page, { waitForFunction: () => Promise.reject(new Error('use waitInPage')) });
  openPages.add(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      complaints.push(`foreign: ${request.url()}`);
  });
  const go = async (path: string): Promise<void> => {
    await page.goto(url + path, { waitUntil: 'commit' });
    await page.locator('h1').first().waitFor();
    await page.locator(LOADING).first().waitFor({ state: 'detached' });
  };
  return {
    page,
    complaints,
    go,
    follow: async (path) => {
      if (!page.url().startsWith(`${url}/projects/`)) return go(path);
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
    },
    close: () => {
      openPages.delete(page);
      return isReused ? releasePage(page, url) : context.close();
    },
  };
}

/** By the cookie that a sign-in on the page sets. */
async function signIn(context: BrowserContext, url: string, bearer: string): Promise<void> {
  const value = encodeURIComponent(bearer);
  await context.addCookies([{ name: 'spanledger_session', value, url, httpOnly: true, sameSite: 'Lax' }]);
}
