import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { MetricsReply } from '../../../src/core/events/query/contract.ts';
import { listRetainedProjects } from '../../../src/core/projects/index.ts';
import { deleteExpiredScores } from '../../../src/core/scores/jobs.ts';
import { erasureJob } from '../../../src/features/erasure/jobs.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const running = new AbortController().signal;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ rateLimits: false });
});
afterAll(() => app.close());

/** A trace of one call, and a score of it. */
type Trace = {
  readonly id: string;
  readonly at: number;
  readonly model: string;
  readonly environment: string;
  readonly user: string;
  readonly team: string | null;
};
type Given = {
  readonly id: string;
  readonly trace: Trace;
  readonly name: string;
  value: number | boolean | string;
};

const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-haiku-4-5'];
const random = createRandom(TEST_SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const traces: Trace[] = Array.from({ length: 60 }, (_, i) => ({
  id: `trace-${i}`,
  at: TEST_NOW - Math.floor(random() * 20 * DAY_MS),
  model: pick(MODELS),
  environment: pick(['production', 'staging']),
  user: `user-${Math.floor(random() * 6)}`,
  team: pick(['search', 'chat', null]),
}));
const scores: Given[] = Array.from({ length: 250 }, (_, i) => {
  const name = pick(['quality', 'helpful', 'tone']);
  const value =
    name === 'quality'
      ? Math.floor(random() * 100) / 4
      : name === 'helpful'
        ? random() < 0.4
        : pick(['kind', 'cold']);
  return { id: `s${i}`, trace: pick(traces), name, value };
});

async function post(path: string, json: object): Promise<Response> {
  const { seed, fetch } = app;
  return fetch(`/v1/${path}?projectId=${seed.projectId}`, { bearer: seed.bearer, json });
}
const send = async (list: readonly Trace[]): Promise<void> => {
  const events = list.map(({ id, at, model, environment, user, team }) => ({
    event_id: `0190e0e0-0000-7000-8000-${id.slice(6).padStart(12, '0')}`,
    trace_id: id,
    span_id: 'root',
    provider: 'openai',
    model,
    environment,
    user_id: user,
    timestamp: new Date(at).toISOString(),
    ...(team !== null && { tags: { team } }),
  }));
  expect((await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events })).status).toBe(202);
};
const give = async (list: readonly Given[]): Promise<void> => {
  for (let i = 0; i < list.length; i += 100) {
    const body = list
      .slice(i, i + 100)
      .map(({ id, trace, name, value }) => ({ scoreId: id, traceId: trace.id, name, value }));
    expect((await post('scores', body)).status).toBe(201);
  }
};

const MEASURES = [
  'score:quality',
  'score:helpful',
  'score:tone=kind',
  'scoreCount:tone',
  'scoreCount:tone=cold',
];
const mean = (list: readonly number[]): number | null =>
  list.length === 0 ? null : list.reduce((sum, one) => sum + one, 0) / list.length;

/** The measures of some scores, by hand. */
function recount(list: readonly Given[]): (number | null)[] {
  const of = (name: string) => list.filter((one) => one.name === name);
  const tones = of('tone').map(({ value }) => value);
  const kind = tones.filter((value) => value === 'kind').length;
  return [
    mean(of('quality').map(({ value }) => Number(value))),
    mean(of('helpful').map(({ value }) => Number(value))),
    tones.length === 0 ? null : kind / tones.length,
    tones.length,
    tones.length - kind,
  ];
}
const close = (list: readonly (number | null)[]): (number | null)[] =>
  list.map((one) => (one === null ? null : Math.round(one * 1e9) / 1e9));
const valuesOf = ({ values }: { values: Record<string, number | null> }): (number | null)[] =>
  close(MEASURES.map((name) => values[name] ?? null));

async function query(document: object): Promise<MetricsReply> {
  const reply = await post('metrics/query', document);
  const body = (await reply.json()) as MetricsReply;
  expect([reply.status, 'error' in body ? body.error : null]).toEqual([200, null]);
  return body;
}

/** Compares figures with and without groups, filters, steps and measures of calls with a recount. */
async function expectFigures(all: readonly Given[]): Promise<void> {
  const window = {
    start: new Date(TEST_NOW - 15 * DAY_MS - HOUR_MS).toISOString(),
    end: new Date(TEST_NOW).toISOString(),
  };
  const inWindow = all.filter(({ trace }) => trace.at >= Date.parse(window.start));
  const whole = await query({
    measures: MEASURES,
    ...window,
    bucket: '1d',
    timeZone: 'America/New_York',
    compare: 'previous',
  });
  expect(valuesOf(whole.total)).toEqual(close(recount(inWindow)));
  expect(close(MEASURES.map((name) => whole.total.previous?.values[name] ?? null))).toEqual(
    close(recount(all.filter(({ trace }) => trace.at < Date.parse(window.start)))),
  );
  for (const [i, { start, end }] of whole.steps.entries()) {
    const own = inWindow.filter(({ trace }) => trace.at >= Date.parse(start) && trace.at < Date.parse(end));
    expect(close(MEASURES.map((name) => whole.total.series?.[name]?.[i] ?? null))).toEqual(
      close(recount(own)),
    );
  }
  const staging = inWindow.filter(({ trace }) => trace.environment === 'staging' && trace.team === 'search');
  const filtered = await query({
    measures: MEASURES,
    ...window,
    filter: 'environment:stag* tag.team:search',
  });
  expect(valuesOf(filtered.total)).toEqual(close(recount(staging)));
  const without = await query({ measures: MEASURES, ...window, filter: '-tag.team:search,chat model:*' });
  expect(valuesOf(without.total)).toEqual(
    close(recount(inWindow.filter(({ trace }) => trace.team === null))),
  );
  for (const measures of [MEASURES, ['requests', ...MEASURES]]) {
    const grouped = await query({ measures, ...window, groupBy: ['model', 'tag:team'], limit: 4 });
    const ofKey = (key: Record<string, string | null>) =>
      inWindow.filter(({ trace }) => trace.model === key.model && trace.team === key['tag:team']);
    for (const group of grouped.groups) expect(valuesOf(group)).toEqual(close(recount(ofKey(group.key))));
    const shown = new Set(grouped.groups.flatMap(({ key }) => ofKey(key)));
    const rest = inWindow.filter((one) => !shown.has(one));
    if (grouped.others !== null) expect(valuesOf(grouped.others)).toEqual(close(recount(rest)));
    else expect(rest).toEqual([]);
    expect(valuesOf(grouped.total)).toEqual(close(recount(inWindow)));
  }
}

test('figures of scores equal a recount, also after changes, a repeated ingest, an erasure and retention', async () => {
  await send(traces);
  await give(scores);
  await expectFigures(scores);

  for (const one of scores.slice(0, 20)) if (typeof one.value === 'number') one.value += 0.25;
  await give(scores.slice(0, 60));
  await send(traces);
  await expectFigures(scores);

  const { projectId, bearer } = app.seed;
  await app.fetch(`/v1/projects/${projectId}/erasures`, { bearer, json: { userId: 'user-3' } });
  await erasureJob.run(app.ctx, running);
  const left = scores.filter(({ trace }) => trace.user !== 'user-3');
  await expectFigures(left);

  const [retained] = await listRetainedProjects(app.ctx);
  app.clock.set(TEST_NOW + ((retained?.keptDays ?? 0) - 10) * DAY_MS);
  await deleteExpiredScores.run(app.ctx, running);
  app.clock.set(TEST_NOW);
  await expectFigures(left.filter(({ trace }) => trace.at >= TEST_NOW - 10 * DAY_MS));
}, 60_000);

test('what cannot be asked of scores is refused with what can', async () => {
  const cases: [object, RegExp][] = [
    [
      { measures: ['score:quality'], filter: 'latency>2s' },
      /scores cannot be filtered by latency; use model/,
    ],
    [{ measures: ['score:'] }, /a measure of scores is score:NAME/],
    [{ measures: ['score:quality'], histogram: 'latency' }, /histogram and matrix are of calls/],
    [
      { measures: ['cost', 'score:quality'], orderBy: { measure: 'score:quality' } },
      /order by a measure of calls/,
    ],
  ];
  for (const [document, message] of cases) {
    const reply = await post('metrics/query', document);
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([
      400,
      expect.stringMatching(message),
    ]);
  }
  const unknown = await query({ measures: ['score:nothing', 'scoreCount:nothing'], groupBy: ['model'] });
  expect(unknown.total.values).toEqual({ 'score:nothing': null, 'scoreCount:nothing': 0 });
});
