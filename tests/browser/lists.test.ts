import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Request } from 'playwright-core';
import type { EventPage } from '../../src/core/events/contract.ts';
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
    const more = window.page.getByRole('button', { name: 'Older traces' });
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
