import { afterAll, afterEach, beforeAll, describe, expect } from 'bun:test';
import type { EventPage } from '../../src/core/events/contract.ts';
import { seriousFindings } from './axe.ts';
import { hasBrowser } from './browser.ts';
import { test } from './browser-test.ts';
import { openWorld, type Window, type World } from './world.ts';

describe.skipIf(!hasBrowser)('the palette', () => {
  let world: World;
  let window: Window;
  beforeAll(async () => {
    world = await openWorld();
    await world.seedDays(3);
    window = await world.open();
  }, 60_000);
  afterEach(() => {
    world.instead = () => null;
  });
  afterAll(async () => {
    await window.close();
    await world.close();
  });

  const at = (page: string): string => `/projects/${world.app.seed.projectId}/${page}`;
  const type = async (text: string): Promise<void> => {
    // The text of the last search goes when the dialog is gone.
    await window.page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' });
    await window.page.keyboard.press('Control+k');
    await window.page.getByRole('dialog', { name: 'Search' }).getByPlaceholder('Find a page').fill(text);
  };
  const entry = (name: string | RegExp) => window.page.getByRole('dialog').getByRole('button', { name });

  test('offers ids only if they exist, and opens them', async () => {
    const { page } = window;
    const query = `projectId=${world.app.seed.projectId}&limit=1`;
    const reply = await world.app.fetch(`/v1/events?${query}`, { bearer: world.app.seed.bearer });
    const [event] = ((await reply.json()) as EventPage).events;
    await window.go(at('overview'));
    await type('0123456789abcdef0123456789abcdef');
    await page.getByText('Nothing found').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByPlaceholder('Find a page').fill(event?.trace_id ?? '');
    await entry(/Trace ·/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith(event?.trace_id ?? '?'));
    await type(event?.event_id ?? '');
    await entry(/Event ·/).click();
    await page.waitForURL((url) => url.searchParams.get('event') === event?.event_id);
    await page.getByRole('dialog').getByRole('heading', { name: 'Context' }).waitFor();
    expect(window.complaints).toEqual([]);
  }, 60_000);

  test('Enter opens what came after the text while the server still searches', async () => {
    const { seed, fetch, app } = world.app;
    const view = { name: 'Time-outs', search: { status: 'timeout' } };
    const saved = await fetch(`/v1/views?projectId=${seed.projectId}`, { bearer: seed.bearer, json: view });
    expect(saved.status).toBe(201);
    const views = Promise.withResolvers<void>();
    world.instead = (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/v1/search') return new Promise(() => {});
      return pathname === '/v1/views' ? views.promise.then(() => app.fetch(request)) : null;
    };
    await window.go(at('costs'));
    await type('time-outs');
    await window.page.getByText('Searching…').waitFor();
    views.resolve();
    await entry(/^Time-outs/).waitFor();
    await window.page.keyboard.press('Enter');
    await window.page.waitForURL((url) => url.searchParams.get('status') === 'timeout');
  }, 60_000);

  test('says that the search failed, and tries again', async () => {
    // A status that is not asked for again by itself.
    const refusal = (): Response => Response.json({ error: 'Too many requests' }, { status: 429 });
    world.instead = ({ url }) => (/^\/v1\/(search|views)$/.test(new URL(url).pathname) ? refusal() : null);
    await window.go(at('costs'));
    await window.page.getByRole('button', { name: 'Views' }).click();
    await window.page.getByText('The views were not read: Too many requests').waitFor();
    expect(await window.page.getByText('No views yet').count()).toBe(0);
    expect(await seriousFindings(window.page)).toEqual([]);
    await type('maya');
    await entry(/^The search failed/).waitFor();
    expect(await seriousFindings(window.page)).toEqual([]);
    world.instead = () => null;
    await window.page.keyboard.press('Enter');
    await entry('maya').waitFor();
    await window.page.keyboard.press('Escape');
    await window.page.getByRole('dialog').waitFor({ state: 'detached' });
    await window.page.getByRole('button', { name: 'Views' }).click();
    await window.page.getByRole('menuitem', { name: 'Try again' }).click();
    await window.page.getByText('No views yet').waitFor();
    // The browser notes each reply that is a failure.
    expect(window.complaints.splice(0).filter((one) => !one.includes('429'))).toEqual([]);
  }, 60_000);

  test('finds models, users, actions and pages by parts of their names', async () => {
    const { page } = window;
    await window.go(at('overview'));
    await type('may');
    await entry('maya').click();
    await page.waitForURL((url) => url.pathname.endsWith('/users/maya'));
    await type('4o-mini');
    await entry(/^gpt-4o-mini/).click();
    await page.waitForURL((url) => url.searchParams.get('model') === 'gpt-4o-mini');
    await type('create key');
    await entry('Create API key').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith('/keys'));
    await type('dark');
    await entry('Switch to dark theme').click();
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    // What was opened last is offered without a text.
    await type('');
    await entry(/^maya/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(window.complaints).toEqual([]);
  }, 60_000);
});
