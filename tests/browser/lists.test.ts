import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Request } from 'playwright-core';
import type { EventPage, TracePage } from '../../src/core/events/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('lists and what is opened from them', () => {
  let world: World;
  let window: Window;
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(3);
    window = await world.open({ clock: true });
  }, 60_000);
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const toEnd = () => window.page.evaluate("document.querySelector('[class*=vtable_]').scrollTop = 1e9");

  test('a further page that fails is asked for once, and again when the reader wants it', async () => {
    let asked = 0;
    await window.page.route(/\/v1\/events\?.*cursor=/, async (route) => {
      asked++;
      await route.fulfill({ status: 429, json: { error: 'Too many requests' } });
    });
    await window.go(at('events?range=7d'));
    await toEnd();
    await window.page.getByRole('alert').getByText('Too many requests').waitFor();
    await toEnd();
    await window.page.clock.runFor(500);
    expect(asked).toBe(1);
    await window.page.unroute(/\/v1\/events\?.*cursor=/);
    await window.page.getByRole('button', { name: 'Try again' }).click();
    await window.page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
    await window.page.waitForFunction(
      "[...document.querySelectorAll('[data-row]')].some(({ dataset }) => Number(dataset.row) > 100)",
    );
  }, 60_000);

  test('live does not fetch a list anew of which more than one page is read', async () => {
    const isFirstPage = (request: Request): boolean =>
      request.url().includes('/v1/events?') && !request.url().includes('cursor=');
    await window.go(at('events?range=7d&live=1'));
    const look = window.page.waitForRequest(isFirstPage);
    await window.page.clock.runFor(6_000);
    await look;
    await toEnd();
    await window.page.getByText('live updates pause while older events are loaded').waitFor();
    let asked = 0;
    window.page.on('request', (request) => {
      if (isFirstPage(request)) asked++;
    });
    await window.page.clock.runFor(20_000);
    expect(asked).toBe(0);
  }, 60_000);

  test('a list with a button for more says when that failed, and that live rests', async () => {
    await window.go(at('traces?range=7d&live=1'));
    const more = window.page.getByRole('button', { name: 'More traces' });
    await window.page.route(/cursor=/, (route) =>
      route.fulfill({ status: 429, json: { error: 'Too many' } }),
    );
    await more.click();
    await window.page.getByRole('alert').getByText('Too many').waitFor();
    await window.page.unroute(/cursor=/);
    await more.click();
    await window.page.getByText('Live pauses while more than one page is loaded').waitFor();
    expect(await window.page.getByRole('alert').count()).toBe(0);
  }, 60_000);

  const cells = (column: number): Promise<string[]> =>
    window.page.locator(`.table tbody td:nth-child(${column})`).allTextContents();

  test('a list sorts on the server, keeps the order in the address, and a click anywhere in a row opens it', async () => {
    const { page } = window;
    await window.go(at('traces?range=7d'));
    await page.getByRole('button', { name: 'Cost' }).click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'cost');
    await page
      .getByRole('columnheader', { name: 'Cost' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    const query = `projectId=${world.app.seed.projectId}&sort=cost&limit=1`;
    const reply = await world.app.fetch(`/v1/traces?${query}`, { bearer: world.app.seed.bearer });
    const [dearest] = ((await reply.json()) as TracePage).traces;
    await page.waitForFunction(
      `document.querySelector('.table tbody a.row-link')?.href.includes('${dearest?.trace_id}')`,
    );
    expect((await cells(2))[0]).toContain(dearest?.name ?? '?');
    expect(await seriousFindings(page)).toEqual([]);
    // The cell of the number of spans, which is no link.
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.locator('.table tbody tr').first().locator('td').nth(2).click({ button: 'middle' }),
    ]);
    expect(new URL(opened.url()).pathname).toContain(dearest?.trace_id ?? '?');
    await opened.close();
    await page.locator('.table tbody tr').first().locator('td').nth(2).click();
    await page.waitForURL((url) => url.pathname.includes(dearest?.trace_id ?? '?'));
    await page.goBack();
    await page.getByRole('button', { name: 'Cost' }).click();
    await page.waitForURL((url) => url.searchParams.get('order') === 'asc');
    for (const [list, column, sort] of [
      ['sessions', 'Duration', 'duration'],
      ['users', 'Last seen', 'lastSeen'],
      ['events', 'Latency', 'latency'],
    ] as const) {
      await window.follow(at(`${list}?range=7d`));
      await page.getByRole('columnheader', { name: column }).getByRole('button').click();
      await page.waitForURL((url) => url.searchParams.get('sort') === sort);
      await page
        .getByRole('columnheader', { name: column })
        .and(page.locator('[aria-sort=descending]'))
        .waitFor();
    }
  }, 60_000);

  test('events step by key, also over the end of a page', async () => {
    const { page } = window;
    const list = await world.app.fetch(`/v1/events?projectId=${world.app.seed.projectId}&limit=102`, {
      bearer: world.app.seed.bearer,
    });
    const { events } = (await list.json()) as EventPage;
    const [last, next] = [events[99], events[100]];
    await window.go(at(`events?event=${last?.event_id}&at=${last?.timestamp}`));
    await page.getByRole('dialog').getByText('Context').waitFor();
    await page.waitForFunction("document.querySelectorAll('[data-row]').length > 5");
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.searchParams.get('event') === next?.event_id);
    await page.keyboard.press('k');
    await page.waitForURL((url) => url.searchParams.get('event') === last?.event_id);
  }, 60_000);

  test('columns are chosen, moved and made dense; this browser keeps it', async () => {
    const { page } = window;
    await window.go(at('traces?range=7d'));
    await page.getByRole('button', { name: 'Columns' }).click();
    const menu = page.getByRole('dialog', { name: 'Columns' });
    await menu.getByLabel('Spans', { exact: true }).uncheck();
    await menu.getByLabel('Failed', { exact: true }).check();
    await menu.getByRole('button', { name: 'Move Failed left' }).click();
    await menu.getByText('Compact').click();
    expect(await seriousFindings(page)).toEqual([]);
    await window.go(at('traces?range=7d'));
    const heads = page.locator('.table th');
    await heads.getByText('Failed').waitFor();
    expect(await heads.allTextContents()).toEqual([
      'Started',
      'Name',
      'Calls',
      'Tokens',
      'Cost',
      'Duration',
      'Failed',
      'User',
    ]);
    await page.locator('.table[class*=dense]').waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await menu.getByRole('button', { name: 'Reset to default' }).click();
    await heads.getByText('Spans').waitFor();
  }, 60_000);

  test('an event is found by its id alone; one that is not there says so', async () => {
    const path = `/v1/events?projectId=${world.app.seed.projectId}&limit=1`;
    const reply = await world.app.fetch(path, { bearer: world.app.seed.bearer });
    const [event] = ((await reply.json()) as EventPage).events;
    await window.go(at(`events?range=7d&userId=nobody&event=${event?.event_id}`));
    await window.page.getByRole('dialog').getByText('Context').waitFor();
    await window.go(at('events?range=7d&event=0199a1b2-0000-4000-8000-00000000ffff'));
    await window.page.getByRole('dialog').getByText('This event no longer exists').waitFor();
  }, 60_000);

  test('a list without rows says whether a filter is why', async () => {
    for (const [page, said] of [
      ['traces?userId=nobody', 'No matching traces'],
      ['sessions?userId=nobody', 'This user has no sessions in this time'],
      ['users?q=nobody', 'No matching user in this time'],
      ['traces?environment=nowhere', 'No traces in this time'],
    ] as const) {
      await window.go(at(page));
      await window.page.getByText(said).waitFor();
    }
  }, 60_000);

  test('a page whose filter excludes everything says so, and clears it', async () => {
    for (const [page, what] of [
      ['overview', 'calls'],
      ['costs', 'calls'],
      ['performance', 'calls'],
      ['errors', 'calls'],
      ['traces', 'traces'],
      ['sessions', 'sessions'],
      ['users', 'users'],
    ] as const) {
      await window.follow(at(`${page}?range=7d&filter=user:nobody`));
      await window.page.getByText(`No matching ${what} in this time`).waitFor();
      await window.page.getByRole('button', { name: 'Clear filter' }).click();
      await window.page.getByText(`No matching ${what} in this time`).waitFor({ state: 'detached' });
      expect(new URL(window.page.url()).searchParams.get('filter')).toBeNull();
    }
  }, 60_000);
});
