import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Request } from 'playwright-core';
import type { EventPage, TracePage } from '../../src/core/events/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { waitInPage } from './wait-in-page.ts';
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
    const isFurther =
      "[...document.querySelectorAll('[data-row]')].some(({ dataset }) => Number(dataset.row) > 100)";
    expect(await waitInPage(window.page, isFurther)).toBe(true);
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
    const isFirst = `document.querySelector('.table tbody a.row-link')?.href.includes('${dearest?.trace_id}')`;
    expect(await waitInPage(page, isFirst)).toBe(true);
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

  test('chosen events are copied and saved; Ctrl+F goes to the search of the whole list', async () => {
    const { page, go } = window;
    await go(at('events?range=7d'));
    const boxes = page.getByRole('checkbox', { name: /^Select / });
    await boxes.nth(1).click();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    const chosen = page.getByRole('group', { name: 'Selected events' });
    await chosen.getByText('4 events selected').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const query = `projectId=${world.app.seed.projectId}&limit=5`;
    const reply = await world.app.fetch(`/v1/events?${query}`, { bearer: world.app.seed.bearer });
    const ids = ((await reply.json()) as EventPage).events.slice(1).map(({ event_id }) => event_id);
    for (const format of ['NDJSON', 'CSV']) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        chosen.getByRole('button', { name: format }).click(),
      ]);
      const lines = (await Bun.file(await file.path()).text()).trimEnd().split('\n');
      if (format === 'CSV') expect(lines[0]).toMatch(/^timestamp,status,model,.*,error_code,error_message,/);
      else expect(lines.map((line) => JSON.parse(line).event_id)).toEqual(ids);
      expect(lines.length).toBe(format === 'CSV' ? 5 : 4);
    }
    await chosen.getByRole('button', { name: 'Clear selection' }).click();
    await chosen.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+f');
    await page.getByText('this filter searches all').waitFor();
    expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe('Filter');
  }, 60_000);

  test('events step by key, also over the end of a page', async () => {
    const { page } = window;
    const list = await world.app.fetch(`/v1/events?projectId=${world.app.seed.projectId}&limit=102`, {
      bearer: world.app.seed.bearer,
    });
    const { events } = (await list.json()) as EventPage;
    const [last, next] = [events[99], events[100]];
    await window.go(at(`events?event=${last?.event_id}&at=${last?.timestamp}`));
    await page.getByRole('dialog').getByRole('heading', { name: 'Context' }).waitFor();
    expect(await waitInPage(page, "document.querySelectorAll('[data-row]').length > 5")).toBe(true);
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

  test('the heads of events stand over their columns, also where these are wider than the page', async () => {
    const { page } = window;
    const all =
      'time,kind,status,model,provider,operation,input,output,cached,cost,latency,user,release,error';
    await page.setViewportSize({ width: 1000, height: 800 });
    await window.go(at(`events?range=7d&columns=${all}`));
    const row = page.getByLabel('Events', { exact: true }).getByRole('row').nth(1);
    await row.waitFor();
    const lefts = (cells: string): Promise<number[]> =>
      page.evaluate(
        `[...document.querySelectorAll('${cells}')].map((one) => one.getBoundingClientRect().left)`,
      );
    const heads = await lefts('[aria-label=Events] [role=columnheader]');
    expect(heads.length).toBeGreaterThan(10);
    expect(await lefts('[aria-label=Events] [data-row="0"] > *')).toEqual(heads);
    await page.setViewportSize({ width: 1280, height: 800 });
  }, 60_000);

  test('an event is found by its id alone; one that is not there says so', async () => {
    const path = `/v1/events?projectId=${world.app.seed.projectId}&limit=1`;
    const reply = await world.app.fetch(path, { bearer: world.app.seed.bearer });
    const [event] = ((await reply.json()) as EventPage).events;
    await window.go(at(`events?range=7d&userId=nobody&event=${event?.event_id}`));
    await window.page.getByRole('dialog').getByRole('heading', { name: 'Context' }).waitFor();
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
      await window.page.getByText(/^There are [\d,]+ calls without user:nobody$/).waitFor();
      await window.page.getByRole('button', { name: 'Clear filter' }).click();
      await window.page.getByText(`No matching ${what} in this time`).waitFor({ state: 'detached' });
      expect(new URL(window.page.url()).searchParams.get('filter')).toBeNull();
    }
  }, 60_000);

  test('a list is saved as CSV with its rows, order and columns', async () => {
    const { page, go } = window;
    const save = async (): Promise<string[]> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^spanledger-[a-z-]+-\d{4}-\d\d-\d\d\.csv$/);
      return (await Bun.file(await file.path()).text()).trimEnd().split('\r\n');
    };
    await go(at('traces?range=7d&sort=cost'));
    const [head = '', ...traces] = await save();
    expect(head).toBe(
      'start,name,trace_id,spans,calls,input_tokens,output_tokens,cost_usd,unpriced_calls,duration_ms,user_id',
    );
    const query = new URLSearchParams({ projectId: world.app.seed.projectId, sort: 'cost', limit: '200' });
    const reply = await world.app.fetch(`/v1/traces?${query}`, { bearer: world.app.seed.bearer });
    const first = ((await reply.json()) as TracePage).traces;
    expect(traces.length).toBeGreaterThan(50);
    expect(traces.slice(0, 20).map((line) => line.split(',')[2])).toEqual(
      first.slice(0, 20).map(({ trace_id }) => trace_id),
    );
    await go(at('costs?range=7d&sort=calls&order=asc'));
    const [costs = '', ...models] = await save();
    expect(costs).toStartWith('model,calls,cost_usd,input_tokens,output_tokens,cache_rate,unpriced_calls');
    const calls = models.map((line) => Number(line.split(',')[1]));
    expect(calls).toEqual(calls.toSorted((a, b) => a - b));
  }, 60_000);

  test('the completions of the filter open with the first click, and with the first typed key', async () => {
    const { apiKey, bearer, projectId } = world.app.seed;
    // Some two days of the demo have no such error.
    const limited = {
      ...{ provider: 'openai', model: 'gpt-4o' },
      ...{ status: 'rate_limited', error_code: 'rate_limit_exceeded' },
    };
    const sent = await world.app.fetch('/v1/ingest', { apiKey, events: [limited] });
    expect(sent.status, await sent.text()).toBe(202);
    const cold = await world.open({ cold: true });
    const box = cold.page.getByRole('combobox', { name: 'Filter' });
    const options = cold.page.getByRole('listbox', { name: 'Completions' });
    await cold.go(at('traces?range=7d'));
    // The box with completions takes the place of the first one while the button is still down.
    await box.hover();
    await cold.page.mouse.down();
    await cold.page.locator('[role=combobox][aria-haspopup=listbox]').waitFor();
    await cold.page.mouse.up();
    await options.waitFor();
    await cold.go(at('sessions?range=7d'));
    await box.focus();
    await cold.page.keyboard.press('m');
    await options.getByText('model', { exact: false }).first().waitFor();
    expect(await box.inputValue()).toBe('m');
    // Values are those of the calls in sight, by what they are called.
    const users = await world.app.fetch(`/v1/users?projectId=${projectId}&limit=1`, { bearer });
    const [user] = ((await users.json()) as { users: { user_id: string }[] }).users;
    for (const [typed, shown] of [
      [`user:${user?.user_id.slice(0, 2)}`, user?.user_id],
      ['release:', '2.5.1'],
      ['-error:rate', 'rate_limit_exceeded'],
      ['finish:', 'stop'],
      ['key:defa', 'default'],
    ]) {
      await box.fill(typed ?? '');
      await options
        .getByText(shown ?? '?')
        .first()
        .waitFor();
    }
    expect(cold.complaints).toEqual([]);
    await cold.close();
  }, 60_000);

  test('several keys are revoked with one typed confirmation', async () => {
    const { page, go } = window;
    const { projectId, bearer } = world.app.seed;
    for (const name of ['batch', 'worker'])
      await world.app.fetch(`/v1/projects/${projectId}/keys`, { bearer, json: { name } });
    await go(at('keys'));
    await page.getByRole('checkbox', { name: 'Select batch' }).check();
    await page.getByRole('checkbox', { name: 'Select worker' }).check();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revoke selected' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke 2 keys?' });
    expect(await dialog.getByRole('button', { name: 'Revoke 2 keys' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type 2 keys to confirm').fill('2 keys');
    await dialog.getByRole('button', { name: 'Revoke 2 keys' }).click();
    await page.getByText('2 keys revoked').waitFor();
    const reply = await world.app.fetch(`/v1/projects/${projectId}/keys`, { bearer });
    const { keys } = (await reply.json()) as { keys: { name: string; state: string }[] };
    const states = Object.fromEntries(keys.map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({ batch: 'revoked', worker: 'revoked' });
    expect(Object.values(states)).toContain('active');
    const audit = await world.app.fetch(`/v1/audit?organizationId=${world.app.seed.organizationId}`, {
      bearer,
    });
    expect((await audit.text()).match(/key_revoked/g)?.length).toBe(2);
  }, 60_000);

  test('an event opened from the keyboard is read from it, and closing it leads back to its row', async () => {
    const { page } = window;
    await window.go(at('events?range=7d'));
    const focused = page.locator(':focus');
    await page.locator('.vopen').nth(2).focus();
    const row = await focused.textContent();
    await page.keyboard.press('Enter');
    await focused.and(page.locator('.drawer-title')).waitFor();
    await page.keyboard.press('Tab');
    await focused.and(page.getByRole('button', { name: 'Previous event' })).waitFor();
    await page.keyboard.press('Escape');
    await focused.and(page.locator('.vopen')).waitFor();
    expect(await focused.textContent()).toBe(row);
  }, 60_000);

  test('the time range is chosen from the keyboard', async () => {
    const { page } = window;
    await window.go(at('costs?filter=model:gpt-4o'));
    await page.getByRole('button', { name: /^Last 30 days/ }).focus();
    await page.keyboard.press('Enter');
    const preset = page.getByRole('button', { name: 'Last 7 days', exact: true });
    await preset.waitFor();
    for (let steps = 0; steps < 20 && (await preset.and(page.locator(':focus')).count()) === 0; steps++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.search === '?filter=model%3Agpt-4o&range=7d');
    await page
      .getByRole('button', { name: /^Last 7 days/ })
      .and(page.locator(':focus'))
      .waitFor();
  }, 60_000);
});
