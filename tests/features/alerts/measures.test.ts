import { afterAll, beforeAll, expect, test } from 'bun:test';
import { METRIC_MEASURES, RUN_MEASURES } from '../../../src/core/events/query/contract.ts';
import { setPlan } from '../../../src/core/orgs/index.ts';
import type { Alert } from '../../../src/features/alerts/contract.ts';
import { measureUnit } from '../../../src/features/alerts/notify/measure-words.ts';
import type { AlertPreview } from '../../../src/features/alerts/preview/contract.ts';
import { ALERT_MEASURES, CALL_MEASURES } from '../../../src/features/alerts/rule/contract.ts';
import { measureWords } from '../../../src/lib/scores/measure-words.ts';
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
  for (const measure of CALL_MEASURES)
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
  const looks = ['allow', 'flag', 'redact', 'block'].map((outcome, i) => ({
    kind: 'guardrail',
    metadata: { guardrail: { name: 'pii', outcome } },
    timestamp: formatInstant(end - 30 * MINUTE_MS + i * 1_000),
  }));
  const sent = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: [...events, ...looks] });
  expect(sent.status).toBe(202);
  await evaluate(world);
  const { body } = await ask<{ alerts: Alert[] }>(world, 'GET', 'alerts?limit=200');
  expect(body.alerts).toHaveLength(CALL_MEASURES.length);
  for (let from = 0; from < CALL_MEASURES.length; from += 10) {
    const measures = CALL_MEASURES.slice(from, from + 10);
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
    const { unit } = { ...METRIC_MEASURES, ...RUN_MEASURES }[measure];
    expect([measure, measureUnit(measure)]).toEqual([measure, (units[unit] ?? unit) as 'USD']);
    expect(measureWords(measure)).toMatch(/^[a-z][a-z0-9 -]+$/);
  }
});

test('a rule of each measure of runs has the value that the metrics have, for all and by agent', async () => {
  const names = Object.keys(RUN_MEASURES) as (keyof typeof RUN_MEASURES)[];
  const base = { window: '1h', condition: { kind: 'threshold', operator: 'gt', critical: 0.000_1 } } as const;
  for (const measure of names) {
    await make(world, { ...base, name: `run ${measure}`, measure });
    await make(world, { ...base, name: `of b ${measure}`, measure, filters: { agent: 'b' } });
  }
  await make(world, { ...base, name: 'by agent', measure: 'runCostAvg', groupBy: 'agent' });
  world.clock.advance(3 * HOUR_MS);
  const end = Math.floor(world.clock.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
  const events = Array.from({ length: 33 }, (_, i) => {
    const trace_id = `c0ffee${i}`.padStart(32, '0');
    const [root, child] = [`aa${i}`.padStart(16, '0'), `bb${i}`.padStart(16, '0')];
    const at = (ms: number): string => formatInstant(end - 40 * MINUTE_MS + i * 30_000 + ms);
    const agent = ['a', 'b', 'c'][i % 3];
    return [
      {
        ...{ trace_id, span_id: root, kind: 'agent', agent, latency_ms: 900 + 71 * i },
        ...{ status: i % 4 === 0 ? 'error' : 'success', timestamp: at(0) },
      },
      {
        ...{ trace_id, span_id: child, parent_span_id: root, provider: 'openai', model: 'gpt-4o' },
        ...{ input_tokens: 1_000 * (i + 1), output_tokens: 10, timestamp: at(900) },
      },
    ];
  }).flat();
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  await evaluate(world);
  const { body } = await ask<{ alerts: Alert[] }>(world, 'GET', 'alerts?limit=200');
  for (const [prefix, filter] of [
    ['run', ''],
    ['of b', 'agent:b'],
  ]) {
    const reply = await ask<{ total: { values: Record<string, number> } }>(world, 'POST', 'metrics/query', {
      measures: names,
      filter,
      start: formatInstant(end - HOUR_MS),
      end: formatInstant(end - 1),
    });
    for (const measure of names) {
      const value = body.alerts.find(({ name }) => name === `${prefix} ${measure}`)?.value ?? Number.NaN;
      const metric = reply.body.total.values[measure] ?? Number.NaN;
      // Percentiles of windows are those of bins of one percent.
      const slack = /P\d\d$/.test(measure) ? metric * 0.011 : metric * 1e-12;
      expect(Math.abs(value - metric), `${measure}: ${value}, ${metric}`).toBeLessThanOrEqual(slack);
    }
  }
  const byAgent = body.alerts.find(({ name }) => name === 'by agent');
  expect(byAgent?.groups).toMatchObject({ critical: 3, total: 3 });
  const draft = { ...base, name: 'x', measure: 'runCost' } as const;
  for (const [part, error] of [
    [
      { groupBy: 'model' },
      'groupBy: runs have no model; use environment, user, key, agent, release or tag:NAME',
    ],
    [{ filters: { costStatus: 'unpriced' } }, 'filters.costStatus: it is of calls'],
    [
      { measure: 'runErrorRate', condition: { ...base.condition, critical: 5 } },
      'condition.critical: runErrorRate',
    ],
  ] as const) {
    const { status, body: refused } = await ask(world, 'POST', 'alerts', { ...draft, ...part });
    expect([status, refused.error?.slice(0, error.length)]).toEqual([400, error]);
  }
});

test('alerts have groups by tool', async () => {
  const rule = { measure: 'requests', window: '1h', groupBy: 'tool' } as const;
  const condition = { kind: 'threshold', operator: 'gte', critical: 2 } as const;
  const { id } = await make(world, { ...rule, name: 'by tool', condition });
  const ts = formatInstant(world.clock.now());
  const events = ['search', 'search', 'sql'].map((tool) => ({ ...CALL, tool, timestamp: ts }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  world.clock.advance(3 * MINUTE_MS);
  await evaluate(world);
  const { body } = await ask<{ states: { group: string; value: number }[] }>(world, 'GET', `alerts/${id}`);
  expect(body.states.map(({ group, value }) => [group, value])).toContainEqual(['search', 2]);
});
const CALL = { provider: 'openai', model: 'gpt-4o' };

test('a measure that there is not, and a filter that scores do not have, are refused with what to write', async () => {
  const draft = { name: 'x', window: '5m', condition: { kind: 'anomaly', sensitivity: 'low' } };
  const refusals = [
    [{ measure: 'eroors' }, 'measure: there is no measure eroors; did you mean errors? The API reference'],
    [{ measure: 'throughput' }, 'measure: there is no measure throughput'],
    [{ measure: 'score:' }, 'measure: a measure of scores is score:NAME'],
    [{ measure: 'score:tone', filters: { costStatus: 'unpriced' } }, 'filters.costStatus: scores have no'],
    [
      { measure: 'score:tone', filters: { filter: 'latency>1s' } },
      'filters.filter: scores cannot be filtered',
    ],
  ] as const;
  for (const [part, error] of refusals) {
    const { status, body } = await ask(world, 'POST', 'alerts', { ...draft, ...part });
    expect(status).toBe(400);
    expect(body.error).toStartWith(error);
  }
});

test('rules of scores have the values that the metrics have, late scores and groups included', async () => {
  const start = world.clock.now();
  const end = Math.floor(start / MINUTE_MS) * MINUTE_MS;
  const measures = [
    'score:tone',
    'score:topic=billing',
    'scoreCount:tone',
    'scoreCount:topic=billing',
  ] as const;
  const base = { window: '30m', condition: { kind: 'threshold', operator: 'lt', critical: 0.6 } } as const;
  const rules = await Promise.all([
    ...measures.map((measure) => make(world, { ...base, name: measure, measure })),
    make(world, { ...base, name: 'no', measure: 'score:never', noData: 'notify' }),
    make(world, { ...base, name: 'by', measure: 'score:tone', groupBy: 'tag:team' }),
    make(world, {
      ...{ ...base, name: 'in', measure: 'score:tone' },
      filters: { model: 'gpt-4o', tag: 'team=b', filter: 'status:success' },
    }),
  ]);
  const trace = (i: number): string => String(i).padStart(32, '0');
  const events = Array.from({ length: 12 }, (_, i) => ({
    ...{ provider: 'openai', model: 'gpt-4o', status: 'success', trace_id: trace(i) },
    tags: { team: i % 2 === 0 ? 'a' : 'b' },
    timestamp: formatInstant(end - 20 * MINUTE_MS + i * 1_000),
  }));
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  const score = async (from: number, to: number): Promise<void> => {
    const scores = Array.from({ length: to - from }, (_, i) => [
      { name: 'tone', value: (from + i) / 10, traceId: trace(from + i) },
      { name: 'topic', value: i % 3 === 0 ? 'billing' : 'other', traceId: trace(from + i) },
    ]);
    expect((await ask(world, 'POST', 'scores', scores.flat())).status).toBeLessThan(300);
  };
  await score(0, 6);
  world.clock.set(end + MINUTE_MS);
  await evaluate(world);
  await score(6, 12);
  world.clock.advance(MINUTE_MS);
  await evaluate(world);
  const { body } = await ask<{ alerts: Alert[] }>(world, 'GET', 'alerts?limit=200');
  const { body: metrics } = await ask<{ total: { values: Record<string, number> } }>(
    world,
    'POST',
    'metrics/query',
    {
      measures,
      start: formatInstant(end - 29 * MINUTE_MS),
      end: formatInstant(end + MINUTE_MS - 1),
    },
  );
  const own = (name: string): Alert | undefined => body.alerts.find((alert) => alert.name === name);
  for (const measure of measures)
    expect(own(measure)?.value, measure).toBeCloseTo(metrics.total.values[measure] ?? Number.NaN, 11);
  expect(own('score:tone')).toMatchObject({ value: 0.55, state: 'critical' });
  expect(own('no')).toMatchObject({ value: null, state: 'no_data' });
  expect(own('in')).toMatchObject({ value: 0.6, state: 'ok' });
  expect(own('by')?.groups).toMatchObject({ total: 2, critical: 1 });
  const preview = await ask<AlertPreview>(world, 'POST', 'alerts/preview', {
    ...base,
    ...{ name: 'by', measure: 'score:tone', groupBy: 'tag:team' },
  });
  expect(preview.body.series.map(({ group, points }) => [group, points.at(-1)])).toEqual([
    ['a', 0.5],
    ['b', 0.6],
  ]);
  expect(rules).toHaveLength(7);
});
