import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { listedPageOf, NAVIGATION, SETTINGS } from '../../src/dashboard/shell/frame/navigation-entries.ts';
import { hasBrowser } from './browser.ts';
import { openWorld, type Window, type World } from './world.ts';

const pagesOf = (groups: typeof NAVIGATION): string[] =>
  groups.flatMap(({ entries }) => entries.map(({ page }) => page));

describe('which entry a path belongs to', () => {
  test.each([
    ['overview', 'overview'],
    ['costs/statement', 'costs'],
    ['costs/what-if', 'costs'],
    ['traces/a%2Fb', 'traces'],
    ['sessions', 'sessions'],
    ['tracesx', null],
    ['', null],
  ])('%p: %p', (path, page) => expect<string | null>(listedPageOf(path) ?? null).toBe(page));
});

describe.skipIf(!hasBrowser)('the navigation', () => {
  let world: World;
  let window: Window;
  const at = (path: string): string => `/projects/${world.app.seed.projectId}/${path}`;
  const nav = (name: 'Pages' | 'Settings') => window.page.getByRole('navigation', { name });
  const currentOf = async (name: 'Pages' | 'Settings'): Promise<string[]> =>
    nav(name).locator('[aria-current=page]').allTextContents();

  beforeAll(async () => {
    world = await openWorld();
    window = await world.open({ width: 1280 });
    await window.page.setViewportSize({ width: 1280, height: 720 });
  });
  afterAll(() => world.close());

  test('a page that cannot be loaded says so within the dashboard, and comes once the server answers', async () => {
    const { page, go, complaints, close } = await world.open({ cold: true });
    await go(at('overview'));
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Playground', exact: true }).click();
    await page.getByText('The server does not answer. Is it running?').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Still no answer of the server').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|does not answer/.test(text))).toEqual([]);
    await close();
  });

  test('each entry leads to its page, and it alone is marked there', async () => {
    await window.go(at('costs/statement'));
    for (const { entries } of NAVIGATION)
      for (const { page, label } of entries) {
        await nav('Pages').getByRole('link', { name: label, exact: true }).click();
        await window.page.waitForURL((url) => url.pathname === at(page));
        await nav('Pages').locator('[aria-current=page]', { hasText: label }).waitFor();
        expect({ page, current: await currentOf('Pages') }).toEqual({ page, current: [label] });
        expect(await nav('Settings').count()).toBe(0);
      }
    await window.go(at('costs/statement'));
    expect(await currentOf('Pages')).toEqual(['Costs']);
  }, 60_000);

  test('one entry leads to the settings, which have a list of their own', async () => {
    await window.go(at('overview'));
    await window.page.getByRole('link', { name: 'Settings' }).click();
    await window.page.getByRole('heading', { name: 'Project', exact: true, level: 1 }).waitFor();
    expect(await nav('Settings').getByRole('link').count()).toBe(pagesOf(SETTINGS).length);
    await nav('Settings').getByRole('link', { name: 'Usage' }).click();
    await window.page.waitForURL('**/usage');
    expect(await currentOf('Settings')).toEqual(['Usage']);
    expect(await window.page.getByRole('link', { name: 'Settings' }).getAttribute('aria-current')).toBe(
      'page',
    );
    expect(await currentOf('Pages')).toEqual([]);
  });

  test('a group closes and opens by key, stays so, and still shows the open page', async () => {
    await window.go(at('traces'));
    const explore = nav('Pages').getByRole('button', { name: 'Explore' });
    await explore.focus();
    await window.page.keyboard.press('Enter');
    expect(await explore.getAttribute('aria-expanded')).toBe('false');
    const list = nav('Pages').getByRole('list', { name: 'Explore' });
    expect(await list.getByRole('link').allTextContents()).toEqual(['Traces']);
    await window.go(at('overview'));
    expect(await list.getByRole('link').count()).toBe(0);
    await explore.focus();
    await window.page.keyboard.press('Space');
    const pages = NAVIGATION.find(({ title }) => title === 'Explore')?.entries.map(({ label }) => label);
    expect(await list.getByRole('link').allTextContents()).toEqual(pages ?? []);
  });

  test('from the top of the page each entry is reached by Tab', async () => {
    await window.go(at('overview'));
    const reached = new Set<string>();
    for (let i = 0; i < 40; i++) {
      await window.page.keyboard.press('Tab');
      reached.add(await window.page.evaluate<string>('document.activeElement?.textContent ?? ""'));
    }
    const labels = NAVIGATION.flatMap(({ title, entries }) => [title, ...entries.map(({ label }) => label)]);
    expect([...labels, 'Settings'].filter((label) => !reached.has(label))).toEqual([]);
  });

  test.each([1301, 1141, 1000, 900, 720, 480])(
    'the user menu is in view at a height of %i px',
    async (height) => {
      await window.page.setViewportSize({ width: 1280, height });
      await window.go(at('overview'));
      const menu = await window.page.locator('aside button[aria-haspopup=menu]').last().boundingBox();
      const settings = await window.page.getByRole('link', { name: 'Settings' }).boundingBox();
      expect((menu?.y ?? 0) + (menu?.height ?? height + 1)).toBeLessThanOrEqual(height);
      expect((settings?.y ?? 0) + (settings?.height ?? 0)).toBeLessThanOrEqual(menu?.y ?? 0);
      // Two dozen entries need some room; on lower screens the list scrolls, and the menu stays.
      if (height >= 900)
        expect(
          await window.page.evaluate(
            "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('nav'))",
          ),
        ).toBe(false);
    },
  );

  test('on a low screen the entry of the open page is in sight', async () => {
    await window.page.setViewportSize({ width: 1280, height: 600 });
    await window.go(at('quarantine'));
    const entry = await window.page.locator('nav [aria-current=page]').boundingBox();
    const end = await window.page.getByRole('link', { name: 'Settings' }).boundingBox();
    expect((entry?.y ?? 600) + (entry?.height ?? 0)).toBeLessThanOrEqual(end?.y ?? 0);
  });

  test('on a phone it is a drawer, which a choice closes', async () => {
    const phone = await world.open({ width: 390 });
    await phone.page.setViewportSize({ width: 390, height: 844 });
    await phone.go(at('overview'));
    await phone.page.getByRole('button', { name: 'Menu' }).click();
    const drawer = phone.page.getByRole('dialog');
    await drawer.getByRole('link', { name: 'Settings' }).click();
    await drawer.waitFor({ state: 'detached' });
    await phone.page.getByRole('navigation', { name: 'Settings' }).getByText('API keys').click();
    await phone.page.waitForURL('**/keys');
    expect(phone.complaints).toEqual([]);
    await phone.close();
  });

  test('changes come at once for those who ask their system for less motion', async () => {
    const { page, go } = window;
    const moving = `[...document.querySelectorAll('*')].filter((one) => {
      const { transitionProperty, transitionDuration } = getComputedStyle(one);
      return transitionProperty !== 'none' && /[1-9]/.test(transitionDuration);
    }).length`;
    await go(at('costs'));
    expect(await page.evaluate(moving)).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate(moving)).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
  });

  test('nothing was complained about on the way', () => expect(window.complaints).toEqual([]));
});
