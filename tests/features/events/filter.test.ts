import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { EventPage } from '../../../src/core/events/contract.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
const EVENTS = Array.from({ length: 60 }, (_, i) => ({
  trace_id: `trace-${i}`,
  span_id: `span-${i}`,
  provider: i % 3 === 0 ? 'anthropic' : 'openai',
  model: i % 3 === 0 ? 'claude-haiku-4-5' : 'gpt-4o',
  user_id: `u-${i % 4}`,
  session_id: `s-${i % 5}`,
  status: i % 10 === 0 ? 'rate_limited' : 'success',
  ...(i % 10 === 0 ? { error_code: 'quota', error_message: 'Too many "big" requests' } : {}),
  latency_ms: i * 100,
  input_tokens: 1_000 + i,
  output_tokens: 10,
  timestamp: new Date(TEST_NOW - i * HOUR_MS).toISOString(),
  tags: { team: i % 2 === 0 ? 'red' : 'blue', 'cost center': 7 },
  metadata: { customer: { id: i % 6 } },
}));

beforeAll(async () => {
  world = await openTestApp();
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: EVENTS })).status).toBe(202);
});
afterAll(() => world.close());

const get = (path: string, query: Record<string, string>): Promise<Response> =>
  world.fetch(`${path}?${new URLSearchParams({ projectId: world.seed.projectId, ...query })}`, {
    bearer: world.seed.bearer,
  });
/** A reply as far as the tests look at it. */
type Reply = Readonly<{
  byModel: unknown;
  kpis: { totalRequests: number };
  errorGroups: unknown;
  traces: unknown[];
  sessions: unknown[];
  users: { user_id: string }[];
  error: string;
}>;
const read = async (reply: Promise<Response>): Promise<Reply> => (await (await reply).json()) as Reply;
const countOf = async (filter: string): Promise<number> => {
  const reply = await get('/v1/events', { filter, limit: '1' });
  expect(reply.status).toBe(200);
  return ((await reply.json()) as EventPage).total;
};

const wanted = (test: (event: (typeof EVENTS)[number], i: number) => boolean): number =>
  EVENTS.filter(test).length;

test.each([
  ['', () => true],
  ['model:claude-*', (_: unknown, i: number) => i % 3 === 0],
  ['-model:claude-* user:u-1,u-2', (_: unknown, i: number) => i % 3 !== 0 && [1, 2].includes(i % 4)],
  ['status:failed', (_: unknown, i: number) => i % 10 === 0],
  ['"BIG" requests', (_: unknown, i: number) => i % 10 === 0],
  ['message:*big*', (_: unknown, i: number) => i % 10 === 0],
  ['latency>2s latency<=3s', (_: unknown, i: number) => i > 20 && i <= 30],
  ['input:1010..1019', (_: unknown, i: number) => i >= 10 && i < 20],
  ['tag.team:red tag."cost center":7', (_: unknown, i: number) => i % 2 === 0],
  ['metadata.customer:"{\\"id\\":3}"', (_: unknown, i: number) => i % 6 === 3],
  ['-error:*', (_: unknown, i: number) => i % 10 !== 0],
  ['cost>$0', () => true],
])('GET /v1/events?filter=%s', async (filter, meaning) => {
  expect(await countOf(filter)).toBe(wanted(meaning));
});

describe('every read of calls takes the filter', () => {
  const filter = 'model:claude-* -user:u-0';
  const calls = wanted((_, i) => i % 3 === 0 && i % 4 !== 0);

  test('costs, overview, performance and errors', async () => {
    const costs = await read(get('/v1/costs', { filter }));
    expect(costs.byModel).toMatchObject([{ model: 'claude-haiku-4-5', calls }]);
    const overview = await read(
      world.fetch(`/v1/projects/${world.seed.projectId}/overview?${new URLSearchParams({ filter })}`, {
        bearer: world.seed.bearer,
      }),
    );
    expect(overview.kpis.totalRequests).toBe(calls);
    const { errorGroups } = await read(get('/v1/errors', { filter: `${filter} error:quota` }));
    expect(errorGroups).toMatchObject([
      { error_code: 'quota', count: wanted((_, i) => i % 30 === 0 && i % 4 !== 0) },
    ]);
  });

  test('traces, sessions, users and the export', async () => {
    const { traces } = await read(get('/v1/traces', { filter }));
    expect(traces).toHaveLength(calls);
    const { sessions } = await read(get('/v1/sessions', { filter: `${filter} session:s-1` }));
    expect(sessions).toHaveLength(1);
    const { users } = await read(get('/v1/users', { filter }));
    expect(users.map(({ user_id }) => user_id).sort()).toEqual(['u-1', 'u-2', 'u-3']);
    const lines = await (await get('/v1/events/export', { filter, format: 'ndjson' })).text();
    expect(lines.trim().split('\n')).toHaveLength(calls);
  });
});

test.each([
  ['modle:gpt-4o', 'filter: there is no field "modle"; did you mean model?'],
  ['tag:blue', 'filter: name the tag, such as tag.team:support'],
  ['metadata:eu', 'filter: name the key of the metadata, such as metadata.region:eu'],
  ['latency:fast', 'filter: latency: "fast" is not a number; write latency>2s or latency:100..500'],
  ['latency:2s..1s', 'filter: latency: "2s..1s" is no range; the smaller number comes first'],
  ['tokens:1..2..3', 'filter: tokens: "1..2..3" is no range'],
  ['cost>2s', 'filter: cost: "2s" is not a number; write cost>0.05 or cost:0.01..0.10'],
  [
    'status:broken',
    'filter: status is one of success, error, timeout, rate_limited, cancelled, failed, not "broken"',
  ],
  ['model>3', 'filter: model is not a number; write model:VALUE'],
  ['model:a OR model:b', 'filter: OR is not a part of the language'],
  ['"open', 'filter: the quotation mark at character 1 has no end'],
  ['a '.repeat(31), 'filter: it has more than 30 parts'],
  [`model:${'a,'.repeat(101)}a`, 'filter: model has more than 100 values'],
  ['x'.repeat(2_001), 'filter: it is longer than 2,000 characters'],
])('%s is refused with what is wrong', async (filter, message) => {
  const reply = await get('/v1/events', { filter });
  expect(reply.status).toBe(400);
  expect(((await reply.json()) as Reply).error).toStartWith(message);
});
