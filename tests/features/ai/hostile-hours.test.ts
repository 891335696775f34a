import { expect, test } from 'bun:test';
import type { MetricsReply } from '../../../src/core/events/query/contract.ts';
import type { RootCause } from '../../../src/core/root-cause/contract.ts';
import type { AnomaliesReply } from '../../../src/features/ai/anomalies/contract.ts';
import { formatInstant, HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { MARK, ORDERS } from './hostile-orders.ts';

const hour = Math.floor(TEST_NOW / HOUR_MS) * HOUR_MS;
const call = (ts: number, more: object) => ({
  provider: 'openai',
  model: 'gpt-4o',
  timestamp: formatInstant(ts),
  input_tokens: 1_000,
  output_tokens: 100,
  latency_ms: 500,
  ...more,
});

const NAMES = { agent: 'agent', user_id: 'user' } as const;
const spree = (place: number): number => hour - (24 + place * 6) * HOUR_MS;

/** Five weeks of a call an hour, and an hour for each name in which it spends a lot. */
async function plant(world: TestApp, field: string, names: readonly string[]): Promise<void> {
  const events = [
    ...Array.from({ length: 24 * 36 }, (_, h) => call(hour - (h + 1) * HOUR_MS, { cost_usd: 0.1 })),
    ...names.flatMap((name, place) =>
      Array.from({ length: 30 }, () => call(spree(place), { cost_usd: 4, [field]: name })),
    ),
  ];
  for (let from = 0; from < events.length; from += 100) {
    const sent = { apiKey: world.seed.apiKey, events: events.slice(from, from + 100) };
    expect((await world.fetch('/v1/ingest', sent)).status).toBe(202);
  }
}

test.each(['agent', 'user_id'] as const)(
  'hostile names in %s change neither unusual hours nor what explains them, and are found by their filters',
  async (field) => {
    const world = await openTestApp({ rateLimits: false });
    const { projectId, bearer } = world.seed;
    const ask = async <T>(path: string, json?: object): Promise<T> => {
      const reply = await world.fetch(`${path}?projectId=${projectId}`, { bearer, ...(json && { json }) });
      expect([path, reply.status]).toEqual([path, 200]);
      return (await reply.json()) as T;
    };
    try {
      const names = ['harmless', ...ORDERS];
      await plant(world, field, names);
      const { anomalies } = await ask<AnomaliesReply>('/v1/ai/anomalies');
      const all = anomalies.filter(({ measure, dimension }) => measure === 'cost' && dimension === 'all');
      expect(all.map(({ start }) => Date.parse(start)).toSorted()).toEqual(
        names.map((_, place) => spree(place)).toSorted(),
      );
      for (const { id: _, value, filter, ...shown } of anomalies) {
        expect(JSON.stringify(shown)).not.toContain(MARK);
        if (value?.includes(MARK)) expect(filter.startsWith(`${NAMES[field]}:`)).toBe(true);
      }
      const texts: string[] = [];
      for (const [place, name] of names.entries()) {
        const anomalyId = all.find(({ start }) => Date.parse(start) === spree(place))?.id;
        const cause = await ask<RootCause>('/v1/ai/explain', { anomalyId });
        const own = cause.causes[0];
        expect(own?.values).toEqual([{ dimension: field === 'agent' ? 'agent' : 'userId', value: name }]);
        // The filter finds exactly the calls of the name, whatever is written in it.
        const found = await ask<MetricsReply>('/v1/metrics/query', {
          measures: ['requests'],
          filter: own?.filter,
          range: '30d',
        });
        expect([name, found.total.values.requests]).toEqual([name, 30]);
        const { status, summary, rest, change } = cause;
        expect(summary.replaceAll(/“[^”]*”/g, '')).not.toContain(MARK);
        texts.push(`${status} ${summary} ${rest.contribution} ${change}`.replaceAll(/“[^”]*”/g, 'NAME'));
      }
      expect([...new Set(texts)]).toHaveLength(1);
      // An incident explains the same calls by the same code.
      const made = await world.fetch(`/v1/incidents?projectId=${projectId}`, {
        bearer,
        json: { title: 'Cost', severity: 'warning' },
      });
      expect(made.status).toBe(201);
      const { id: incidentId } = (await made.json()) as { id: string };
      const incident = await ask<RootCause>('/v1/ai/root-cause', { incidentId });
      expect(incident.summary.replaceAll(/“[^”]*”/g, '')).not.toContain(MARK);
    } finally {
      await world.close();
    }
  },
  120_000,
);
