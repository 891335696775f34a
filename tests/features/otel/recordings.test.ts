import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { z } from 'zod';
import type { SpanNode, StoredEvent } from '../../../src/core/events/contract.ts';
import { openTestApp, type Tenant, type TestApp } from '../../helpers/app.ts';
import { isOnClickhouse } from '../../helpers/event-store-env.ts';
import { storedTablesWithText } from '../../helpers/read-stored.ts';
import { readBytes } from './otlp.ts';
import { EXPECTATIONS, type Expectation } from './recordings/expectations.ts';
import {
  describeCall,
  getJson,
  listEvents,
  post,
  type Recording,
  readRecording,
  spanBySpan,
  spansOf,
} from './replay.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const MESSAGE = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.unknown(),
  tool_calls: z
    .array(z.strictObject({ id: z.string().nullable(), name: z.string(), arguments: z.unknown() }))
    .optional(),
  tool_call_id: z.string().optional(),
});

const sortedByStart = (events: readonly StoredEvent[]): StoredEvent[] =>
  events.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));

/** Dollars per million tokens: fresh, cached, written, output. */
const RATES: Readonly<Record<string, readonly number[]>> = {
  'gpt-4o': [2.5, 1.25, 0, 10],
  'gpt-4o-2024-08-06': [2.5, 1.25, 0, 10],
  'claude-sonnet-4-5': [3, 0.3, 3.75, 15],
  'text-embedding-3-small': [0.02, 0, 0, 0],
  'gemini-2.5-flash': [0.3, 0.03, 0, 2.5],
  // Bedrock's prices in one region, and of inference profiles of a geography.
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0': [3.3, 0.33, 4.125, 16.5],
  'claude-sonnet-4-5-20250929-v1:0': [3.3, 0.33, 4.125, 16.5],
  'claude-sonnet-4-5-20250929': [3.3, 0.33, 4.125, 16.5],
  'nova-pro-v1:0': [0.8, 0.2, 0.8, 3.2],
  'titan-embed-text-v2:0': [0.02, 0, 0, 0],
};

function recountCost(event: StoredEvent): number {
  const [fresh = 0, cached = 0, written = 0, output = 0] = RATES[event.model ?? ''] ?? [];
  const { input_tokens, cached_input_tokens, cache_write_tokens, output_tokens } = event;
  const uncached = input_tokens - cached_input_tokens - cache_write_tokens;
  return (
    (uncached * fresh +
      cached_input_tokens * cached +
      cache_write_tokens * written +
      output_tokens * output) /
    1e6
  );
}

/** A trace's spans by id, each with its parent's, from the tree. */
function parentsIn(nodes: readonly SpanNode[], parent: string | null): [string, string | null][] {
  return nodes.flatMap((node) => [
    [node.span_id, parent] as [string, string | null],
    ...parentsIn(node.children, node.span_id),
  ]);
}

async function expectTrees(tenant: Tenant, requests: readonly Recording[]): Promise<void> {
  for (const [traceId, spans] of Map.groupBy(spansOf(requests), (span) => span.traceId)) {
    const path = `/v1/traces/${traceId}?projectId=${tenant.projectId}`;
    const reply = await getJson<{ spans: SpanNode[] }>(app, path, tenant.bearer);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const sent = spans.map(({ spanId, parentSpanId = '' }) => [
      spanId,
      ids.has(parentSpanId) ? parentSpanId : null,
    ]);
    expect(parentsIn(reply.spans, null).sort()).toEqual(sent.sort() as [string, string | null][]);
  }
}

async function expectAll(tenant: Tenant, whole: Expectation, isWhole = false): Promise<void> {
  const expected = { ...whole, ...(isWhole ? {} : whole.singly) };
  const events = sortedByStart(await listEvents(app, tenant));
  expect(events.length).toBe(expected.spans);
  const calls = events.filter((event) => event.counted);
  expect(calls.map(describeCall)).toEqual([...expected.calls]);
  for (const { user_id, session_id, environment } of calls) {
    expect(user_id).toBe(expected.user ?? null);
    expect(session_id).toBe(expected.session ?? null);
    expect(environment).toBe(expected.environment ?? 'production');
  }
  expect(calls[0]?.metadata.plan).toBe(expected.plan as unknown);
  if (expected.tags !== undefined) expect(calls[0]?.tags).toEqual(expected.tags as Record<string, unknown>);
  const statuses = Object.fromEntries(
    [...Map.groupBy(events, ({ status }) => status)].map(([k, v]) => [k, v.length]),
  );
  expect(statuses).toEqual(expected.statuses);

  if (expected.costs !== undefined) {
    const costs = Map.groupBy(calls, ({ cost_status }) => cost_status ?? '');
    expect(Object.fromEntries([...costs].map(([status, { length }]) => [status, length]))).toEqual(
      expected.costs,
    );
  }

  const { kpis } = await getJson<{ kpis: { totalRequests: number; totalCost: number } }>(
    app,
    `/v1/projects/${tenant.projectId}/overview`,
    tenant.bearer,
  );
  const cost = calls.reduce(
    (sum, call) => sum + (call.cost_status === 'client' ? 0.003 : recountCost(call)),
    0,
  );
  expect(kpis.totalRequests).toBe(expected.calls.length);
  expect(kpis.totalCost).toBeCloseTo(cost, 9);
}

describe.each(EXPECTATIONS.map((expected) => [expected.client, expected] as const))(
  '%s',
  (client, expected) => {
    test('as sent', async () => {
      const tenant = await app.addTenant(`${client} sent`);
      const requests = readRecording(client);
      await post(app, tenant, requests);
      await expectAll(tenant, expected, true);
      await expectTrees(tenant, requests);
      // An exporter without a reply sends everything again.
      await post(app, tenant, requests);
      await expectAll(tenant, expected, true);
    });

    test('span by span, last one first', async () => {
      const tenant = await app.addTenant(`${client} reversed`);
      const requests = spanBySpan(readRecording(client)).reverse();
      await post(app, tenant, requests);
      await expectAll(tenant, expected);
      await expectTrees(tenant, requests);
    });

    test('span by span, first one first', async () => {
      const tenant = await app.addTenant(`${client} single`);
      const requests = spanBySpan(readRecording(client));
      await post(app, tenant, requests);
      await expectAll(tenant, expected);
    });
  },
);

test('with prompt storage every dialect becomes the same form of messages', () => {
  let found = 0;
  for (const { client } of EXPECTATIONS) {
    for (const request of readRecording(client)) {
      const bytes = new TextEncoder().encode(JSON.stringify(request));
      for (const { input, output } of readBytes(bytes, 'json', true)) {
        for (const message of [
          ...((input as object[] | null) ?? []),
          ...((output as object[] | null) ?? []),
        ]) {
          expect(MESSAGE.safeParse(message).error).toBeUndefined();
          found++;
        }
      }
    }
  }
  expect(found).toBeGreaterThan(300);
});

test('no text of a prompt or an answer is in the file, in a reply or in the log', async () => {
  for (const { client } of EXPECTATIONS) await post(app, app.seed, readRecording(client));
  const events = await listEvents(app, app.seed);
  const traces = [...new Set(events.map(({ trace_id }) => trace_id))];
  const answers: unknown[] = [events];
  for (const id of traces) {
    answers.push(await getJson(app, `/v1/traces/${id}?projectId=${app.seed.projectId}`, app.seed.bearer));
  }
  const { path } = app.ctx.db;
  const stored = await Bun.file(path).text();
  const wal = await Bun.file(`${path}-wal`).text();
  for (const text of [JSON.stringify(answers), stored, wal, app.errors.join()])
    expect(text.includes('SENTINEL')).toBe(false);
  expect(await storedTablesWithText(path, 'SENTINEL')).toEqual([]);
  const tables = await storedTablesWithText(path, 'claude-sonnet-4-5');
  expect(tables).toContain(isOnClickhouse ? 'clickhouse events' : 'event_log');
});
