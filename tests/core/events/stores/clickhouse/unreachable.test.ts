import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connectEngine } from '../../../../../src/core/events/stores/clickhouse/engine/connect.ts';
import { sql } from '../../../../../src/core/events/stores/clickhouse/engine/sql.ts';
import { openTestApp, type TestApp } from '../../../../helpers/app.ts';

// No server listens on port 1.
const EVENTS_URL = 'clickhouse://writer@127.0.0.1:1/events';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { EVENTS_URL } });
});
afterAll(() => app.close());

const event = { model: 'gpt-4o', provider: 'openai', input_tokens: 10, output_tokens: 1 };

test('while ClickHouse is away, ingest answers 503 and counts nothing', async () => {
  const { apiKey } = app.seed;
  const reply = await app.fetch('/v1/ingest', { apiKey, events: [event] });
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
  const rows = await app.ctx.db.sql.all<{ n: number }>('SELECT count(*) AS n FROM event_outbox');
  expect(rows).toEqual([{ n: 0 }]);
});

test('reads answer 503, and what does not need events answers as always', async () => {
  const { bearer, projectId, organizationId } = app.seed;
  const costs = await app.fetch(`/v1/costs?projectId=${projectId}`, { bearer });
  expect([costs.status, costs.headers.get('retry-after')]).toEqual([503, '2']);
  const keys = await app.fetch(`/v1/organizations/${organizationId}/projects`, { bearer });
  expect(keys.status).toBe(200);
});

test('an address with a password in it is refused', async () => {
  const { loadConfig } = await import('../../../../../src/config.ts');
  const env = { EVENTS_URL: 'clickhouse://writer:secret@127.0.0.1:1/events' };
  expect(() => loadConfig({ env })).toThrow('EVENTS_PASSWORD');
});

test('a query that takes longer than its deadline is given up with 503', async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) });
  const engine = connectEngine({
    url: `clickhouse://writer@127.0.0.1:${server.port}/events`,
    password: undefined,
    reader: null,
    insertQuorum: 0,
  });
  await expect(engine.read([1], sql`SELECT 1`, 50)).rejects.toMatchObject({ status: 503 });
  await engine.close();
  await server.stop(true);
});
