import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { PAGES } from '../../src/dashboard/shell/scope/search.ts';
import { PAGES as DOCS } from '../../src/features/docs/pages.ts';
import { findingsInBothSchemes, seriousFindings, TWO_FRAMES } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { type NamedPage, SINGLES, seedEveryPage } from './every-page.ts';
import { waitInPage } from './wait-in-page.ts';
import { openWorld, type Window, type World } from './world.ts';

/** Every page of a project but those of one trace, session or user. */
const LISTED = Object.keys(PAGES).filter((page) => !page.includes('$'));

/** Whether a path, without its search, is of a page such as `traces/$traceId`. */
const isOf = (page: string, path: string): boolean =>
  new RegExp(`^${page.replaceAll(/\$\w+/g, '[^/]+')}$`).test(path.split('?')[0] ?? '');

/** How far the page is wider than the window, in pixels. */
const OVERHANG = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const OVERLAY = '[role=dialog], [role=menu], [role=listbox]';

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
    world = await openWorld({ rateLimits: false, env: { OPERATORS: 'ada@example.com' } });
    await world.seedDays(3);
    ({ pages: singles } = await seedEveryPage(world));
    window = await world.open();
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  /** What the page before was left in: drawing it once more for each page would take a tenth of the CPU. */
  let isNarrow = false;
  let isFirst = true;

  const setNarrow = async (next: boolean): Promise<void> => {
    if (next === isNarrow) return;
    isNarrow = next;
    await window.page.setViewportSize({ width: next ? 360 : 1280, height: 800 });
    await window.page.evaluate(TWO_FRAMES);
  };
  const checkAxe = async (): Promise<void> => {
    await setNarrow(false);
    // The list of pages is the same beside all of them.
    expect(await findingsInBothSchemes(window.page, { without: isFirst ? [] : ['aside'] })).toEqual([]);
    isFirst = false;
  };
  const checkNarrow = async (): Promise<void> => {
    await setNarrow(true);
    expect(await window.page.evaluate(OVERHANG)).toBe(0);
  };
  const checkOverlays = async (buttons: readonly (string | RegExp)[]): Promise<void> => {
    const { page } = window;
    for (const button of buttons) {
      await setNarrow(false);
      const opens = page.getByRole('button', { name: button, exact: true }).first();
      await opens.click();
      const overlay = page.locator(OVERLAY).filter({ visible: true });
      await overlay.first().waitFor();
      expect([button, await findingsInBothSchemes(page, { within: OVERLAY })]).toEqual([button, []]);
      await page.keyboard.press('Escape');
      await overlay.first().waitFor({ state: 'detached' });
      // Whoever uses the keyboard goes on where they were.
      await opens.and(page.locator(':focus')).waitFor({ timeout: 5_000 });
    }
  };
  const check = async (show: () => Promise<void>, name = ''): Promise<void> => {
    await show();
    const steps = [checkAxe, () => checkOverlays(OVERLAYS[name] ?? []), checkNarrow];
    for (const step of isNarrow ? steps.toReversed() : steps) await step();
    expect(window.complaints.splice(0)).toEqual([]);
  };
  const whatOf = (name: string): string =>
    [WHAT, ...(OVERLAYS[name] ?? []).map(String)].join('; the same in what opens by ');
  const WHAT = 'nothing serious by axe in light and dark, nothing wider than 360 px, no complaint';

  /** What a page opens over itself: by the names of the buttons that do. */
  const OVERLAYS: Readonly<Record<string, readonly (string | RegExp)[]>> = {
    overview: [/^Search/, /^Acme/, /^ada/, /^All environments/, /^Last 7 days/, 'Add to dashboard'],
    events: ['Export', 'Filter', /^Views/],
    budgets: ['New budget', 'Remove'],
    dashboards: ['New dashboard'],
    deployments: ['Report a deployment'],
    incidents: ['Open an incident'],
    prices: ['Set price'],
    project: ['Delete project'],
    'access-tokens': ['New token'],
    channels: ['New channel'],
    'scheduled-reports': ['New report'],
    alerts: ['Silence all'],
    'annotation-queues': ['New queue'],
    datasets: ['New dataset'],
    'evaluators/rules': ['New online rule'],
    'evaluators/scores': ['New score'],
    experiments: ['New experiment'],
    guardrails: ['New guardrail'],
    keys: ['Rotate', 'Revoke'],
    organization: [/^Leave/],
    prompts: ['New prompt'],
    simulations: ['New suite'],
    statements: ['Define'],
    traces: ['Columns'],
    agent: ['Edit'],
    dataset: ['Import', 'Schemas', 'Delete'],
    queue: ['Add items', 'Edit'],
    trace: ['Add to dataset', 'Add to queue', /^Comments/],
    user: [/^Erase/],
  };
  for (const name of LISTED)
    test(`${name}: ${whatOf(name)}`, () =>
      check(() => arrive(window, `/projects/${world.app.seed.projectId}/${name}?range=7d`), name));

  test('each page of a single thing is visited', async () => {
    const pages = Object.keys(PAGES).filter((page) => page.includes('$'));
    expect(pages.filter((page) => !singles.some(({ path }) => isOf(page, path)))).toEqual([]);
    expect(singles.map(({ name }) => name).toSorted()).toEqual([...SINGLES].toSorted());
    const names: readonly string[] = [...LISTED, ...SINGLES];
    expect(Object.keys(OVERLAYS).filter((name) => !names.includes(name))).toEqual([]);
  });

  for (const name of SINGLES)
    test(`${name}: ${whatOf(name)}`, () =>
      check(async () => {
        const path = singles.find((one) => one.name === name)?.path;
        await window.go(`/projects/${world.app.seed.projectId}/${path}`);
      }, name));

  for (const path of [
    '/account',
    '/account/security',
    '/system',
    '/projects/x/nothing',
    '/docs',
    '/docs/events',
  ])
    test(`${path}: ${WHAT}`, () => check(() => window.go(path)));

  for (const path of Object.keys(DOCS).filter((one) => one !== 'events'))
    test(`/docs/${path}: nothing serious by axe at 360 px, nothing wider`, async () => {
      await setNarrow(true);
      await window.go(`/docs/${path}`);
      expect(await seriousFindings(window.page)).toEqual([]);
      expect(await window.page.evaluate(OVERHANG)).toBe(0);
    });

  test('what these tests look for is found where it is', async () => {
    await window.go('/account');
    await window.page.evaluate(`
      document.querySelector('main').insertAdjacentHTML('beforeend', '<p id=bad><button></button><i>grey</i></p>');
      document.querySelector('#bad i').style.color = '#ccc';
    `);
    const found = await seriousFindings(window.page, { within: '#bad' });
    expect(found.map((text) => text.split(':')[0]).sort()).toEqual(['button-name', 'color-contrast']);
    expect(window.complaints.splice(0)).toEqual([]);
  });

  test(`pages of a stranger: ${WHAT}`, async () => {
    const stranger = await world.open({ bearer: null });
    for (const path of ['/sign-in', '/setup', '/invite', '/link']) {
      await stranger.page.setViewportSize({ width: 1280, height: 800 });
      await stranger.go(path);
      expect([path, await findingsInBothSchemes(stranger.page)]).toEqual([path, []]);
      await stranger.page.setViewportSize({ width: 360, height: 800 });
      await stranger.page.evaluate(TWO_FRAMES);
      expect([path, await stranger.page.evaluate(OVERHANG)]).toEqual([path, 0]);
    }
    expect(stranger.complaints.filter((text) => !/40[0134]/.test(text))).toEqual([]);
    await stranger.close();
  });
});
