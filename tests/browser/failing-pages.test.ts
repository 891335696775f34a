import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { PAGES } from '../../src/dashboard/shell/scope/search.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { seedEveryPage } from './every-page.ts';
import { waitInPage } from './wait-in-page.ts';
import { openWorld, type Window, type World } from './world.ts';

/** What is beside every page: who is signed in, what fires, what waits in quarantine, what is damaged. */
const FRAME = ['/v1/damage', '/v1/alerts', '/v1/quarantine/reasons'];
/** Pages that show their form or their text at once, and fill in what they read. */
const AT_ONCE = ['costs/what-if', 'start'];
/** Pages that only suggest what they read. */
const SUGGESTED = ['costs/what-if'];
/** Said instead of each reply. */
const SAID = 'The disk is being read by somebody else';

const WAITS = `document.querySelector('main :is([aria-label=Loading], .mantine-Skeleton-root)') !== null`;
const SILENT = `![...document.querySelectorAll('[role=alert]')].some((one) => one.textContent.includes('${SAID}'))`;
/** Tests ask for reduced motion: nothing moves, or each of its frames would be drawn. */
const MOVES = `document.getAnimations().some(({ playState }) => playState === 'running')`;
const TRY_AGAIN = `[...document.querySelectorAll('[role=alert] button')].forEach((one) => one.click())`;

/** A request that the test answers when it likes. */
type Held = { readonly path: string; answer(reply: Response): void };

describe.skipIf(!hasBrowser)('pages whose server does not answer', () => {
  let world: World;
  let window: Window;
  let paths: readonly string[];
  beforeAll(async () => {
    world = await openWorld({ rateLimits: false });
    await world.seedDays(2);
    const { pages } = await seedEveryPage(world);
    paths = [...Object.keys(PAGES).filter((page) => !page.includes('$')), ...pages.map(({ path }) => path)];
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  test('each shows without motion that it waits, says why it shows nothing, and shows it once the server answers', async () => {
    const { page } = window;
    const wrong: string[] = [];
    let mode: 'hold' | 'refuse' | 'answer' = 'hold';
    const held: Held[] = [];
    let shown = '';
    // The alerts are beside each page, and are what their own page shows.
    const isFrame = (of: string): boolean =>
      !of.startsWith('/v1/') ||
      of.startsWith('/v1/auth/') ||
      (FRAME.includes(of) && !of.startsWith(`/v1/${shown}`));
    // A status that is not asked for again by itself.
    const refusal = (): Response => Response.json({ error: SAID }, { status: 429 });
    world.instead = ({ url }) => {
      const of = new URL(url).pathname;
      if (mode === 'answer' || isFrame(of)) return null;
      if (mode === 'refuse') return refusal();
      return new Promise((answer) => held.push({ path: of, answer }));
    };
    for (const path of paths) {
      // The page before asks for nothing more, which would be taken for a request of the next one.
      await page.goto(`${world.url}/healthz`);
      mode = 'hold';
      shown = path;
      await page.goto(`${world.url}/projects/${world.app.seed.projectId}/${path}`, { waitUntil: 'commit' });
      await page.locator('main h1').waitFor();
      const waits =
        AT_ONCE.includes(path) ||
        (await waitInPage(page, WAITS, 1_000)) ||
        (held.length > 0 && (await waitInPage(page, WAITS)));
      if (await page.evaluate(MOVES)) wrong.push(`${path} moves while it waits`);
      const asked = held.splice(0);
      const names = asked.map((one) => one.path).join(' ');
      if (!waits && asked.length > 0) wrong.push(`${path} is empty while it waits for ${names}`);
      mode = 'refuse';
      for (const { answer } of asked) answer(refusal());
      if (asked.length > 0 && !SUGGESTED.includes(path)) {
        const says = await waitInPage(page, `!(${SILENT}) && !(${WAITS})`);
        if (!says) wrong.push(`${path} does not say that it has no ${names}`);
      }
      if ((await page.locator('main h1').count()) !== 1) wrong.push(`${path} has lost its title`);
      mode = 'answer';
      // What is below a failure is asked for when that is gone, and has not failed. What was refused while the page
      // showed the first failure has a button of its own, which may come after the first was clicked.
      let recovers = false;
      for (let tries = 0; !recovers && tries < 4; tries++) {
        await page.evaluate(TRY_AGAIN);
        recovers = await waitInPage(page, `${SILENT} && !(${WAITS})`, 5_000);
      }
      if (!recovers) wrong.push(`${path} does not recover`);
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});
