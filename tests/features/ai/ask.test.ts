import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { MetricsReply } from '../../../src/core/events/query/contract.ts';
import type { AskReply } from '../../../src/features/ai/ask/contract.ts';
import { valueText } from '../../../src/features/ai/ask/to-answer.ts';
import { LIMITS } from '../../../src/http/limits.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';
import list from './questions.json' with { type: 'json' };
import { QUESTIONS } from './read-questions.ts';

let world: TestApp;
const random = createRandom(TEST_SEED);
const { names } = list;

beforeAll(async () => {
  world = await openTestApp({ rateLimits: false, now: Date.parse(list.now) });
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const events = Array.from({ length: 600 }, () => ({
    provider: 'openai',
    model: pick(names.model),
    timestamp: new Date(Date.parse(list.now) - Math.floor(random() * 40 * 24) * HOUR_MS).toISOString(),
    input_tokens: Math.floor(random() * 50_000),
    output_tokens: Math.floor(random() * 3_000),
    latency_ms: Math.floor(random() * 20_000),
    status: pick(['success', 'success', 'success', 'error', 'timeout']),
    environment: pick(names.environment),
    agent: pick(names.agent),
    user_id: pick(names.userId),
    release: pick(names.release),
    tags: { team: pick(names['tag:team']), feature: pick(names['tag:feature']) },
  }));
  for (let from = 0; from < events.length; from += 100) {
    const batch = events.slice(from, from + 100);
    expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: batch })).status).toBe(202);
  }
});
afterAll(() => world.close());

async function ask(question: string, more: object = {}, to: TestApp = world): Promise<AskReply> {
  const response = await to.fetch(`/v1/ai/query?projectId=${to.seed.projectId}`, {
    bearer: to.seed.bearer,
    json: { question, ...more },
  });
  const reply = (await response.json()) as AskReply & { error?: string };
  expect([response.status, reply.error]).toEqual([200, undefined]);
  return reply;
}

/** The numbers of a text, outside of the names in quotes. */
const numbersIn = (text: string): string[] =>
  text.replaceAll(/“[^”]*”/g, '').match(/[<>]?[+-]?\$?\d(?:[\d,.]*\d)?(?:%|\s?ms\b|\s?s\b|\s?min\b)?/g) ?? [];

test('the answer to each listed question has no number that is not in its rows, and its query gives the same rows', async () => {
  let answered = 0;
  for (const { q } of QUESTIONS) {
    const reply = await ask(q);
    if (reply.answer === null) {
      expect(reply).toMatchObject({
        source: null,
        query: null,
        rows: [],
        refusal: { examples: expect.any(Array) },
      });
      continue;
    }
    answered++;
    const units = new Map(reply.measures.map(({ name, unit }) => [name, unit]));
    const known = new Set(
      reply.rows.flatMap(({ values, before, change, unpriced, calls }) => [
        ...[unpriced, calls].flatMap((count) => (count === null ? [] : numbersIn(valueText('calls', count)))),
        ...[values, before ?? {}].flatMap((figures) =>
          Object.entries(figures).flatMap(([name, value]) =>
            value === null ? [] : numbersIn(valueText(units.get(name) ?? 'calls', value)),
          ),
        ),
        ...Object.values(change ?? {}).flatMap((text) => (text === null ? [] : numbersIn(text))),
      ]),
    );
    // Percentiles are named by a number.
    const words = reply.answer.replaceAll(/\bp(50|90|95|99)\b/g, '');
    for (const number of numbersIn(words)) expect([q, number, known.has(number)]).toEqual([q, number, true]);
    const again = await world.fetch(`/v1/metrics/query?projectId=${world.seed.projectId}`, {
      bearer: world.seed.bearer,
      json: reply.query,
    });
    const { total } = (await again.json()) as Pick<MetricsReply, 'total'>;
    expect([q, reply.rows.at(-1)?.values]).toEqual([q, total.values]);
  }
  expect(answered).toBeGreaterThan(200);
}, 300_000);

test('a comparison with another window has the figures of both, group by group', async () => {
  const reply = await ask('How does cost this week compare with last week by model?');
  expect(reply).toMatchObject({ source: 'grammar', chart: 'bars', baseline: { range: 'lastWeek' } });
  const only = await ask('cost last week by model');
  for (const { kind, key, before } of reply.rows) {
    if (kind === 'others') continue;
    const same = only.rows.find((row) => row.kind === kind && Bun.deepEquals(row.key, key));
    expect(before).toEqual(same?.values ?? {});
  }
});

test('a follow-up takes the query before as its context', async () => {
  const first = await ask('cost of gpt-4o by agent last week');
  const { query, baseline } = first;
  const then = await ask('and by user?', { context: { query, baseline } });
  expect(then.query).toEqual({ ...query, measures: ['cost'], groupBy: ['userId'] } as AskReply['query']);
  const response = await world.fetch(`/v1/ai/query?projectId=${world.seed.projectId}`, {
    bearer: world.seed.bearer,
    json: { question: 'and by user?', context: { query: { measures: ['nonsense'] } } },
  });
  expect(response.status).toBe(400);
});

test('days are those of the time zone', async () => {
  const reply = await ask('cost yesterday', { timeZone: 'Asia/Tokyo' });
  expect([reply.start, reply.end]).toEqual(['2026-11-16T15:00:00.000Z', '2026-11-17T14:59:59.999Z']);
});

test('without a model, what the rules cannot read is refused with what was understood', async () => {
  const { refusal } = await ask('cost by weekday');
  expect(refusal).toMatchObject({
    message: expect.stringContaining('no model is configured'),
    understood: ['cost'],
    unknown: ['weekday'],
  });
  expect((await ask((refusal?.examples ?? [])[0] ?? '')).answer).not.toBeNull();
});

test('each example is understood', async () => {
  const { refusal } = await ask('hello world');
  for (const example of refusal?.examples ?? [])
    expect([example, (await ask(example)).source]).toEqual([example, 'grammar']);
});

test('an organization asks 20 times an hour, exactly', async () => {
  const limited = await openTestApp();
  try {
    const viewer = await limited.addUser('viewer');
    const send = (bearer: string, projectId = limited.seed.projectId): Promise<Response> =>
      limited.fetch(`/v1/ai/query?projectId=${projectId}`, { bearer, json: { question: 'cost' } });
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => send(i % 2 === 0 ? limited.seed.bearer : viewer.bearer)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(LIMITS.ai.limit);
    const refused = replies.find(({ status }) => status === 429);
    expect(await refused?.json()).toEqual({ error: 'Rate limit exceeded' });
    expect(Number(refused?.headers.get('retry-after'))).toBe(3_600);
    const other = await limited.addTenant();
    expect((await send(other.bearer, other.projectId)).status).toBe(200);
    limited.clock.set(TEST_NOW + HOUR_MS - 1);
    expect((await send(await limited.signIn(limited.seed.email))).status).toBe(429);
    limited.clock.set(TEST_NOW + HOUR_MS);
    expect((await send(await limited.signIn(limited.seed.email))).status).toBe(200);
  } finally {
    await limited.close();
  }
});
