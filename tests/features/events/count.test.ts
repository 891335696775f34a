import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { EventPage } from '../../../src/core/events/contract.ts';
import { sealerService } from '../../../src/core/events/stores/sqlite/seal/sealer.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';
import { isOnClickhouse } from '../../helpers/event-store-env.ts';
import { encode } from '../otel/otlp.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

const list = (query: Record<string, string>): Promise<Response> =>
  world.fetch(`/v1/events?${new URLSearchParams({ projectId: world.seed.projectId, ...query })}`, {
    bearer: world.seed.bearer,
  });

test('spans that are no call of their own are in no count of calls without a price', async () => {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'acme',
    'gen_ai.request.model': 'acme-7b',
    'gen_ai.usage.input_tokens': 12,
  };
  const spans = [
    { id: '1', attributes },
    { id: '2', parent: '1', attributes },
  ];
  const body = encode('json', ...spans);
  const headers = { 'content-type': 'application/json' };
  const sent = await world.fetch('/v1/otel', { method: 'POST', body, headers, apiKey: world.seed.apiKey });
  expect(sent.status).toBe(202);
  const timestamp = new Date(TEST_NOW - 2 * DAY_MS).toISOString();
  const older = [{ provider: 'openai', model: 'gpt-4o', input_tokens: 1, timestamp }];
  expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events: older })).status).toBe(202);
  const count = async (): Promise<void> => {
    for (const kind of ['all', 'llm']) {
      expect(((await (await list({ kind })).json()) as EventPage).total).toBe(3);
      const { events, total } = (await (await list({ kind, costStatus: 'unpriced' })).json()) as EventPage;
      expect([events.length, total]).toEqual([1, 1]);
    }
  };
  await count();
  await world.ctx.use(sealerService).sealAll(1);
  await count();
});

test('a count that would read millions of rows asks for less time', async () => {
  const events = [0, 40].map((days) => ({
    model: 'gpt-4o',
    provider: 'openai',
    input_tokens: 1,
    status: days === 0 ? 'success' : 'error',
    tags: { team: 'red' },
    timestamp: new Date(TEST_NOW - days * DAY_MS).toISOString(),
  }));
  const sent = await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events });
  expect(sent.status).toBe(202);
  // On an engine of its own a count reads as much as it needs.
  if (isOnClickhouse) return;
  // As the sums are in a ledger of that size.
  await world.ctx.use(sealerService).sealAll(1);
  const today = Math.floor(TEST_NOW / DAY_MS);
  for (const [table, column, perDay] of [
    ['rollup_days', 'day', 1],
    ['rollup_hours', 'hour', 24],
  ] as const)
    await world.ctx.db.sql.run(
      `UPDATE ${table} SET requests = 3000000 WHERE status = 0 AND ${column} >= ${today * perDay}`,
    );
  const many = [
    { costStatus: 'priced' },
    { tag: 'team=red', kind: 'all' },
    { tag: 'team=red', model: 'gpt-4o' },
    { costStatus: 'unpriced', tag: 'team=red' },
  ];
  for (const query of many) {
    const refused = await list(query);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {
        error: expect.stringMatching(
          /^start: .*at most 2,000,000 of them, not \d,000,00\d; choose less time/,
        ),
      },
    ]);
    const end = new Date(TEST_NOW - 20 * DAY_MS).toISOString();
    expect((await list({ ...query, end })).status).toBe(200);
  }
  // What the sums or an index know is told of any time.
  for (const query of [
    { costStatus: 'unpriced' },
    { tag: 'team=red' },
    { model: 'gpt-4o' },
    { userId: 'u', costStatus: 'priced' },
    { tag: 'team=red', status: 'error' },
  ])
    expect((await list(query as Record<string, string>)).status).toBe(200);
});
