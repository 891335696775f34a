import { afterAll, beforeAll, expect, test } from 'bun:test';
import { METRIC_MEASURES } from '../../../src/core/events/query/contract.ts';
import { setPlan } from '../../../src/core/orgs/index.ts';
import type { Alert } from '../../../src/features/alerts/contract.ts';
import { measureUnit, measureWords } from '../../../src/features/alerts/notify/measure-words.ts';
import { ALERT_MEASURES } from '../../../src/features/alerts/rule/contract.ts';
import { formatInstant, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { ask, evaluate, make } from './support.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp({ rateLimits: false });
  await world.app.act(setPlan, { organization: world.seed.organizationId, plan: 'scale' });
});
afterAll(() => world.close());

test('a rule of each measure has the value that the metrics have', async () => {
  for (const measure of ALERT_MEASURES)
    await make(world, {
      name: measure,
      measure,
      window: '1h',
      condition: { kind: 'threshold', operator: 'gt', critical: 1 },
    });
  world.clock.advance(HOUR_MS);
  const end = Math.floor(world.clock.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
  const events = Array.from({ length: 90 }, (_, i) => ({
    provider: 'openai',
    model: i % 9 === 0 ? 'a-model-without-a-price' : 'gpt-4o',
    status: ['success', 'success', 'error', 'timeout', 'rate_limited', 'cancelled'][i % 6],
    input_tokens: 100 + i,
    cached_input_tokens: 10 * (i % 5),
    output_tokens: 50 + i,
    reasoning_tokens: i % 7,
    stream: i % 2 === 0,
    ttft_ms: 100 + i,
    latency_ms: 500 + i * 13,
    timestamp: formatInstant(end - 30 * MINUTE_MS + i * 1_000),
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  await evaluate(world);
  const { body } = await ask<{ alerts: Alert[] }>(world, 'GET', 'alerts?limit=200');
  expect(body.alerts).toHaveLength(ALERT_MEASURES.length);
  for (let from = 0; from < ALERT_MEASURES.length; from += 10) {
    const measures = ALERT_MEASURES.slice(from, from + 10);
    const reply = await ask<{ total: { values: Record<string, number> } }>(world, 'POST', 'metrics/query', {
      measures,
      start: formatInstant(end - HOUR_MS),
      end: formatInstant(end - 1),
    });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    for (const measure of measures) {
      const value = body.alerts.find(({ name }) => name === measure)?.value ?? Number.NaN;
      const metric = reply.body.total.values[measure] ?? Number.NaN;
      // Percentiles of windows are those of bins of one percent.
      expect(Math.abs(value - metric), `${measure}: ${value}, ${metric}`).toBeLessThanOrEqual(metric * 0.011);
    }
  }
});

test('units are those of the metrics, and each measure has a name in words', () => {
  const units = { usd: 'USD', 'calls/min': 'calls' } as Record<string, string>;
  for (const measure of ALERT_MEASURES) {
    const { unit } = METRIC_MEASURES[measure];
    expect([measure, measureUnit(measure)]).toEqual([measure, (units[unit] ?? unit) as 'USD']);
    expect(measureWords(measure)).toMatch(/^[a-z][a-z0-9 -]+$/);
  }
});

test('a measure of scores is refused with the names that a rule may have', async () => {
  const condition = { kind: 'anomaly', sensitivity: 'low' };
  const draft = { name: 'x', measure: 'score:tone', window: '5m', condition };
  const { status, body } = await ask(world, 'POST', 'alerts', draft);
  expect(status).toBe(400);
  expect(body.error).toStartWith('measure: ');
});
