import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { seriousFindings } from './axe.ts';
import { hasBrowser, openWorld, type World } from './world.ts';

/** Every page of the navigation. */
const PAGES = [
  'overview',
  'costs',
  'budgets',
  'costs/statement',
  'costs/repricing',
  'costs/reconcile',
  'costs/what-if',
  'performance',
  'errors',
  'events',
  'traces',
  'sessions',
  'users',
  'start',
  'quarantine',
  'inspector',
  'project',
  'keys',
  'prices',
  'members',
  'usage',
  'audit',
];

describe.skipIf(!hasBrowser)('pages with demo data', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(3);
  }, 60_000);
  afterAll(() => world.close());
  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}?range=7d`;

  for (const scheme of ['light', 'dark'] as const) {
    test(`${scheme}: no complaint, nothing serious by axe`, async () => {
      const window = await world.open({ scheme });
      for (const name of PAGES) {
        await window.go(at(name));
        await window.page.waitForSelector('h1');
        expect([name, await seriousFindings(window.page, scheme)]).toEqual([name, []]);
      }
      expect(window.complaints).toEqual([]);
      await window.close();
    }, 60_000);
  }

  test('360 px wide: nothing sticks out', async () => {
    const window = await world.open({ width: 360 });
    for (const name of PAGES) {
      await window.go(at(name));
      const over = await window.page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([name, over]).toEqual([name, 0]);
    }
    expect(window.complaints).toEqual([]);
    await window.close();
  }, 60_000);
});
