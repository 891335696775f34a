import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { type NamedPage, seedEveryPage } from './every-page.ts';
import { openWorld, type Window, type World } from './world.ts';

/** The columns without which a list says nothing, by page. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  overview: ['Time', 'Code', 'Model', 'Calls', 'Cost'],
  costs: ['Model', 'Calls', 'Cost'],
  budgets: ['Budget', 'Used', 'Spent'],
  alerts: ['State', 'Alert', 'Now'],
  errors: ['Error code', 'Calls', 'Trend'],
  deployments: ['Release', 'Environment', 'Cost per call', 'Median'],
  incidents: ['Title', 'State'],
  events: ['Time', 'Model', 'Cost'],
  traces: ['Started', 'Name', 'Cost'],
  sessions: ['Started', 'Session', 'Cost'],
  users: ['User', 'Calls', 'Cost', 'Failed'],
  agents: ['Agent', 'Cost', 'Runs'],
  tools: ['Tool', 'Calls', 'Failed'],
  prompts: ['Prompt', 'Calls', 'Cost'],
  experiments: ['Experiment', 'Scores', 'Cost per run'],
  'annotation-queues': ['Queue', 'Items', 'Done', 'Waiting for you'],
  prices: ['Model', 'Provider', 'Calls'],
  'prices/catalogue': ['Model', 'Input', 'Output'],
  members: ['Name', 'Role'],
  [`statements?by=user&month=${new Date().toISOString().slice(0, 7)}`]: [
    'Party',
    'Calls',
    'Cost',
    'Total, USD',
  ],
};
const OF_ONE: Readonly<Record<string, readonly string[]>> = {
  experiment: ['Figure', 'Mean', 'Verdict', 'Item', 'Output'],
  user: ['Session', 'Cost'],
  prompt: ['Version', 'Calls', 'Cost'],
  agent: ['Name', 'Calls', 'Cost'],
};

/** The names of columns whose head lies in the window as a whole. */
const IN_SIGHT = `[...document.querySelectorAll('th, [role=columnheader]')]
  .filter((head) => head.getBoundingClientRect().right <= document.documentElement.clientWidth - 12)
  .map((head) => head.textContent)`;

describe.skipIf(!hasBrowser)('lists on a phone', () => {
  let world: World;
  let window: Window;
  let singles: readonly NamedPage[];
  beforeAll(async () => {
    world = await openWorld({ rateLimits: false });
    await world.seedDays(3);
    ({ pages: singles } = await seedEveryPage(world));
    window = await world.open({ width: 390 });
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  const missing = async (path: string, needed: readonly string[]): Promise<string[]> => {
    await window.go(`/projects/${world.app.seed.projectId}/${path}`);
    await window.page.getByRole('columnheader').first().waitFor();
    const shown = await window.page.evaluate<string[]>(IN_SIGHT);
    return needed.filter((name) => !shown.includes(name));
  };

  for (const [page, needed] of Object.entries(NEEDED))
    test(`${page}: ${needed.join(', ')} are in sight`, async () => {
      expect(await missing(page, needed)).toEqual([]);
    });

  for (const [page, needed] of Object.entries(OF_ONE))
    test(`the page of one ${page}: ${needed.join(', ')} are in sight`, async () => {
      const path = singles.find(({ name }) => name === page)?.path ?? '';
      expect(await missing(path, needed)).toEqual([]);
    });

  test('a list keeps the columns that somebody chose, in their order', async () => {
    const { page } = window;
    await window.go(`/projects/${world.app.seed.projectId}/traces?range=7d`);
    await page.evaluate(
      `localStorage.setItem('spanledger.table.traces', '{"columns":["start","duration"]}')`,
    );
    await page.reload();
    await page.getByRole('columnheader', { name: 'Duration' }).waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Started', 'Duration']);
    expect(window.complaints).toEqual([]);
  });
});
