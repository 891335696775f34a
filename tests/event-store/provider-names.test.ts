import { beforeAll, expect, test } from 'bun:test';
import { parseFilter } from '../../src/core/events/filter/contract.ts';
import type { EventFilters } from '../../src/core/events/selection.ts';
import { ofProject, type ProjectScope } from '../../src/core/tenancy/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/time.ts';
import { eachStore } from './support/each-store.ts';
import { makeEvent, NOON } from './support/make-event.ts';
import { record } from './support/send.ts';

/** What three clients and an older file call one provider, with the number of their calls, and another provider. */
const SENT = { google: 1, 'gcp.gemini': 2, 'gcp.vertex_ai': 4, google_genai: 8, openai: 16 } as const;
const GOOGLE = 15;
const WINDOW = { from: NOON - 3 * DAY_MS, to: NOON + 1 };
/** With whole hours and days, and with odd ends. */
const WINDOWS = [WINDOW, { from: NOON - 3 * DAY_MS + 1, to: NOON + HOUR_MS / 2 }];

eachStore('names of providers', {}, (world) => {
  let project: ProjectScope;
  beforeAll(async () => {
    project = await world.newProject();
    const calls = Object.entries(SENT).flatMap(([provider, count]) =>
      Array.from({ length: count }, (_, i) =>
        makeEvent({
          event_id: crypto.randomUUID(),
          ts: NOON - (i % 2) * DAY_MS - 1,
          provider,
          model: 'm-1',
          latency_ms: 100 + i,
          cost_status: 'unpriced',
          cost_nano: null,
        }),
      ),
    );
    // Half of them is sealed, the others are not.
    await record(
      world.open.store,
      project,
      calls.filter((_, i) => i % 2 === 0),
    );
    await world.open.settle();
    await record(
      world.open.store,
      project,
      calls.filter((_, i) => i % 2 === 1),
    );
  });

  test('figures have a provider under one name', async () => {
    const { store } = world.open;
    const scope = ofProject(project);
    for (const window of WINDOWS) {
      const { all, byDay } = await store.metrics(scope, {
        all: { measures: ['requests', 'latencyP99'], window, groupBy: ['provider'] },
        byDay: { measures: ['requests'], window, groupBy: ['provider', 'model'], bucket: 'day' },
      });
      expect(all.map(({ provider, requests, latencyP99 }) => [provider, requests, latencyP99])).toEqual([
        ['google', GOOGLE, 107],
        ['openai', SENT.openai, 115],
      ]);
      expect(byDay.map(({ provider }) => provider)).toEqual(['google', 'openai', 'google', 'openai']);
    }
    const { models } = await store.unpriced(scope, { window: WINDOW, limit: 10 });
    expect(models).toMatchObject([
      { provider: 'openai', model: 'm-1', unpriced: SENT.openai },
      { provider: 'google', model: 'm-1', unpriced: GOOGLE, lastSeen: NOON - 1 },
    ]);
    const ledger = await store.ledger(scope, { window: WINDOW, environment: null });
    expect(ledger.accounts.map(({ provider, calls }) => [provider, calls]).sort()).toEqual([
      ['google', GOOGLE],
      ['openai', SENT.openai],
    ]);
  });

  const filters: readonly (readonly [string, EventFilters, number])[] = [
    ['the name of figures', { provider: 'google' }, GOOGLE],
    ['a name as it was sent', { provider: 'gcp.gemini' }, SENT['gcp.gemini']],
    ['the name of figures in the filter language', { where: parseFilter('provider:google') }, GOOGLE],
    ['a pattern of it', { where: parseFilter('provider:goog*') }, GOOGLE],
    ['its opposite', { where: parseFilter('-provider:google') }, SENT.openai],
    ['a pattern of sent names', { where: parseFilter('provider:gcp.*') }, 6],
    ['both', { provider: 'google', where: parseFilter('provider:gcp.gemini') }, SENT['gcp.gemini']],
  ];
  test.each(filters)('a filter by %s', async (_, own, calls) => {
    const { store } = world.open;
    const scope = ofProject(project);
    for (const window of WINDOWS) {
      const { all } = await store.metrics(scope, { all: { measures: ['requests'], window, filters: own } });
      const page = { filters: own, calls: true, window, cursor: null, limit: 1 };
      const { total } = (await store.events(scope, page)).parse();
      expect([all[0]?.requests, total]).toEqual([calls, calls]);
    }
  });

  test('an event has the name that was sent', async () => {
    const page = {
      filters: { provider: 'gcp.vertex_ai' },
      calls: true,
      window: WINDOW,
      cursor: null,
      limit: 9,
    };
    const { events } = (await world.open.store.eventsAfter(ofProject(project), page)).parse();
    expect(events.map(({ provider }) => provider)).toEqual(Array(4).fill('gcp.vertex_ai'));
  });
});
