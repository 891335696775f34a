import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { PAGES } from '../../src/dashboard/shell/scope/search.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { type NamedPage, SINGLES, seedEveryPage } from './every-page.ts';
import { waitInPage } from './wait-in-page.ts';
import { openWorld, type Window, type World } from './world.ts';

/** Every page of a project but those of one trace, session or user. */
const LISTED = Object.keys(PAGES).filter((page) => !page.includes('$'));

/** How far the page is wider than the window, in pixels. */
const OVERHANG = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** Two frames: the first lays out what a resize changed, its observers run before the second. */
const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
/** Colours pass over to those of the other scheme. */
const TRANSITIONS = `${TWO_FRAMES}.then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished))).then(() => 0)`;

/** Loading each page anew would take twice the CPU. */
async function arrive({ page, follow }: Window, path: string): Promise<void> {
  await page.evaluate(
    `(() => { const h1 = document.querySelector('h1'); if (h1) h1.left = h1.textContent; })()`,
  );
  await follow(path);
  const shown = `(document.querySelector('h1') ?? { left: 'none', textContent: 'none' })`;
  const isLoaded = `document.querySelector('[aria-label=Loading], .mantine-Skeleton-root') === null`;
  const isThere = `(({ left, textContent }) => left !== textContent)(${shown}) && ${isLoaded}`;
  expect([path, await waitInPage(page, isThere)]).toEqual([path, true]);
}

describe.skipIf(!hasBrowser)('pages with demo data', () => {
  let world: World;
  let window: Window;
  let singles: readonly NamedPage[];
  beforeAll(async () => {
    world = await openWorld({ rateLimits: false });
    await world.seedDays(3);
    ({ pages: singles } = await seedEveryPage(world));
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  const check = async (show: () => Promise<void>): Promise<void> => {
    const { page, complaints } = window;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    await show();
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      // The reference has no scheme of its own: it follows the system's at once.
      if (!page.url().includes('/docs'))
        await page.locator(`[data-mantine-color-scheme=${scheme}]`).waitFor();
      await page.evaluate(TRANSITIONS);
      expect(await seriousFindings(page, scheme)).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await page.evaluate(TWO_FRAMES);
    expect(await page.evaluate(OVERHANG)).toBe(0);
    expect(complaints.splice(0)).toEqual([]);
  };
  const WHAT = 'nothing serious by axe in light and dark, nothing wider than 360 px, no complaint';

  for (const name of LISTED)
    test(`${name}: ${WHAT}`, () =>
      check(() => arrive(window, `/projects/${world.app.seed.projectId}/${name}?range=7d`)));

  for (const name of SINGLES)
    test(`${name}: ${WHAT}`, () =>
      check(async () => {
        const path = singles.find((one) => one.name === name)?.path;
        await window.go(`/projects/${world.app.seed.projectId}/${path}`);
      }));

  /** What a page opens over itself: by the names of the buttons that do. */
  const OVERLAYS: readonly (readonly [page: string, ...buttons: (string | RegExp)[]])[] = [
    ['overview', /^Search/, /^Acme/, /^ada/, /^All environments/, /^Last 7 days/, 'Add to dashboard'],
    ['events', 'Export', 'Filter', /^Views/],
    ['budgets', 'New budget', 'Remove'],
    ['dashboards', 'New dashboard'],
    ['deployments', 'Report a deployment'],
    ['incidents', 'Open an incident'],
    ['prices', 'Set price'],
    ['project', 'Delete project'],
    ['access-tokens', 'New token'],
    ['channels', 'New channel'],
    ['scheduled-reports', 'New report'],
  ];
  for (const [name, ...buttons] of OVERLAYS)
    test(`${name}: nothing serious by axe in what ${buttons.join(', ')} open`, async () => {
      const { page } = window;
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      await arrive(window, `/projects/${world.app.seed.projectId}/${name}?range=7d`);
      for (const button of buttons) {
        await page.getByRole('button', { name: button, exact: true }).first().click();
        const overlay = page.locator('[role=dialog], [role=menu], [role=listbox]').filter({ visible: true });
        await overlay.first().waitFor();
        expect([button, await seriousFindings(page)]).toEqual([button, []]);
        await page.keyboard.press('Escape');
        await overlay.first().waitFor({ state: 'detached' });
      }
    }, 60_000);

  for (const path of [
    '/account',
    '/account/security',
    '/projects/x/nothing',
    '/docs',
    '/docs/events',
    '/docs/opentelemetry',
  ])
    test(`${path}: ${WHAT}`, () => check(() => window.go(path)));
});
