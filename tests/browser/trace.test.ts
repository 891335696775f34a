import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

const SPANS = 5_000;
const FAILED = 4_321;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const idOf = (place: number): string => place.toString(16).padStart(16, '0');

describe.skipIf(!hasBrowser)(`a trace of ${SPANS} spans`, () => {
  let world: World;
  let window: Window;
  beforeAll(async () => {
    world = await openWorld();
    const start = Date.now() - 3_600_000;
    const events = Array.from({ length: SPANS }, (_, place) => ({
      trace_id: TRACE,
      span_id: idOf(place),
      // Ten below each, so that the second child of the root follows hundreds of others.
      ...(place === 0 ? {} : { parent_span_id: idOf(Math.floor((place - 1) / 10)) }),
      timestamp: new Date(start + place).toISOString(),
      kind: place % 10 === 9 ? 'llm' : 'chain',
      name: `step ${place}`,
      latency_ms: SPANS * 2 - place,
      ...(place === FAILED ? { status: 'error', error_message: 'The index did not answer' } : {}),
      ...(place % 10 === 9 ? { provider: 'openai', model: 'gpt-4o', input_tokens: 1_000 } : {}),
    }));
    for (let from = 0; from < SPANS; from += 100) {
      const { apiKey } = world.app.seed;
      await world.app.fetch('/v1/ingest', { apiKey, events: events.slice(from, from + 100) });
    }
    window = await world.open({ width: 1440 });
  }, 60_000);
  afterAll(async () => {
    await window?.close();
    await world.close();
  });
  const open = (query = ''): Promise<void> =>
    window.go(`/projects/${world.app.seed.projectId}/traces/${TRACE}${query}`);
  const row = (name: string) => window.page.getByRole('treeitem').filter({ hasText: name }).first();
  const details = () => window.page.locator('[class*=traceSide_] [class*=detailsHead_] strong');

  test('shows the rows in sight only, with the sums of each subtree', async () => {
    await open();
    await row('step 1').waitFor();
    expect(await window.page.locator('[class*=spanRow_]').count()).toBeLessThan(80);
    const root = window.page.locator('[class*=spanRow_]').first();
    expect(await root.textContent()).toContain('500K');
    expect(await root.textContent()).toContain('$1.25');
    await window.page.locator('[class*=waterfall_]').evaluate((tree) => tree.scrollTo(0, tree.scrollHeight));
    // The last child of the last child, and so on.
    await row('step 1110').waitFor();
    expect(await window.page.locator('[class*=spanRow_]').count()).toBeLessThan(80);
  });

  test('a click shows a span in full and puts it into the address', async () => {
    await open();
    await row('step 1').click();
    await details()
      .filter({ hasText: /^step 1$/ })
      .waitFor();
    expect(new URL(window.page.url()).searchParams.get('span')).toBe(idOf(1));
  });

  test('a link to a span far down leads there', async () => {
    await open(`?span=${idOf(4_444)}`);
    await details().filter({ hasText: 'step 4444' }).waitFor();
    expect(await row('step 4444').getAttribute('aria-selected')).toBe('true');
  });

  test('folds by click and by key, and is walked through by key', async () => {
    await open();
    const second = row('step 1');
    await second.getByRole('button').click();
    expect(await second.getAttribute('aria-expanded')).toBe('false');
    // Its place is taken by the next of its level.
    expect(await window.page.locator('[class*=spanRow_]').nth(2).textContent()).toContain('step 2');
    await window.page.locator('[class*=waterfall_]').focus();
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('ArrowRight');
    expect(await second.getAttribute('aria-expanded')).toBe('true');
    await window.page.keyboard.press('End');
    await details()
      .filter({ hasText: /^step \d{3,4}$/ })
      .waitFor();
    await window.page.keyboard.press('Home');
    await details()
      .filter({ hasText: /^step 0$/ })
      .waitFor();
  });

  test('a text is searched for in names and messages, matches are stepped through, and folds open for them', async () => {
    await open();
    const { page } = window;
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await page.keyboard.press('s');
    await page.keyboard.type('did not answer');
    await page.getByText('1 match').waitFor();
    await page.keyboard.press('Enter');
    await details()
      .filter({ hasText: `step ${FAILED}` })
      .waitFor();
    await page.getByText('1 of 1').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('did not answer');
    await page.getByLabel('Search in this trace').fill('step 4444');
    await page.getByText('1 match').waitFor();
    await page.keyboard.press('Enter');
    await details().filter({ hasText: 'step 4444' }).waitFor();
  });

  test('a failure is one click away, calls are stepped through, and the list keeps its filter', async () => {
    await open(`?filter=status%3Afailed&model=gpt-4o`);
    const { page } = window;
    await page.getByRole('button', { name: 'Show failure' }).click();
    await details()
      .filter({ hasText: `step ${FAILED}` })
      .waitFor();
    expect(new URL(page.url()).searchParams.get('span')).toBe(idOf(FAILED));
    await page.getByRole('button', { name: 'Next call of the trace' }).click();
    await details().filter({ hasText: 'step 4329' }).waitFor();
    await page.getByText(/% of .* (waited for|was spent in)/).waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Traces' }).click();
    await page.waitForURL('**/traces?*');
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('filter'), searchParams.get('model')]).toEqual(['status:failed', 'gpt-4o']);
  });

  test('nothing was complained about on the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
