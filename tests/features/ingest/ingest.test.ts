import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { setPlan } from '../../../src/core/orgs/index.ts';
import type { IngestReply } from '../../../src/features/ingest/contract.ts';
import { openTestApp, TEST_NOW, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(() => app.close());

const call = { provider: 'openai', model: 'gpt-4o', input_tokens: 10, output_tokens: 5 };
const post = (events: readonly unknown[], apiKey = app.seed.apiKey) =>
  app.fetch('/v1/ingest', { apiKey, events });
const postBody = (body: Bun.BodyInit, headers: Record<string, string> = {}) =>
  app.fetch('/v1/ingest', { method: 'POST', apiKey: app.seed.apiKey, body, headers });
const errorOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: string }).error;

const limitTo = (monthlyEvents: number) =>
  app.app.act(setPlan, { organization: app.seed.organizationId, plan: 'free', monthlyEvents });

async function stored(kind = 'all'): Promise<{ total: number; events: Record<string, unknown>[] }> {
  const path = `/v1/events?projectId=${app.seed.projectId}&kind=${kind}&limit=200`;
  const response = await app.fetch(path, { bearer: app.seed.bearer });
  expect(response.status).toBe(200);
  return (await response.json()) as { total: number; events: Record<string, unknown>[] };
}

describe('POST /v1/ingest', () => {
  test('stores a gzip batch and answers with the counts', async () => {
    const response = await post([call, { ...call, model: 'gpt-4o-mini' }]);
    expect(response.status).toBe(202);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ accepted: 2, duplicates: 0, rejected: [], configVersion: 1 });
    expect((await stored()).total).toBe(2);
  });

  const line = `${JSON.stringify(call)}\n`;
  const encodings: [string, Bun.BodyInit, Record<string, string>][] = [
    ['plain text', line, {}],
    ['gzip that says so', gzipSync(line), { 'content-encoding': 'gzip' }],
    ['gzip that does not say so', gzipSync(line), {}],
    ['CRLF, blank lines and a BOM', `\ufeff\r\n${JSON.stringify(call)}\r\n\r\n`, {}],
  ];
  test.each(encodings)('takes %s', async (_, body, headers) => {
    const response = await postBody(body, headers);
    expect(response.status).toBe(202);
    expect((await stored()).total).toBe(1);
  });

  test('an invalid line does not affect valid ones', async () => {
    const lines = [call, 'not JSON', { ...call, status: 'fine' }, { provider: 'openai' }, call];
    const body = lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
    const response = await postBody(body);
    expect(response.status).toBe(202);
    const reply = (await response.json()) as IngestReply;
    expect(reply).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(reply.rejected).toEqual([
      { line: 2, error: 'is not valid JSON' },
      {
        line: 3,
        error: 'status must be one of success, error, timeout, rate_limited, cancelled, got "fine"',
      },
      { line: 4, error: 'model is required for an event of kind llm' },
    ]);
    expect((await stored()).total).toBe(2);
  });

  test('fields that look misspelled are named once in the reply', async () => {
    const wrong = { provider: 'openai', model: 'gpt-4o', inputTokens: 10, my_prompt: 'Hello' };
    const reply = (await (await post([call, wrong, wrong])).json()) as IngestReply;
    expect(reply.accepted).toBe(3);
    expect(reply.warnings).toEqual([
      {
        line: 2,
        lines: 2,
        message: '"inputTokens" is not a field and was kept as metadata: send input_tokens',
      },
      { line: 2, lines: 2, message: expect.stringContaining('"my_prompt" was dropped') },
    ]);
    expect(JSON.stringify((await stored()).events)).not.toContain('Hello');
    const many = Array.from({ length: 30 }, (_, i) => ({ ...call, [`prompt_${i}_text`]: 'x' }));
    expect(((await (await post(many)).json()) as IngestReply).warnings).toHaveLength(10);
  });

  test('an event over several lines, and a time in milliseconds, are refused with what to send', async () => {
    const pretty = await postBody(JSON.stringify(call, null, 2));
    expect([pretty.status, await errorOf(pretty)]).toEqual([
      400,
      'The body is one JSON value over several lines: send each event on a line of its own',
    ]);
    const dated = await post([{ ...call, timestamp: TEST_NOW }]);
    expect([dated.status, await errorOf(dated)]).toEqual([
      400,
      `No valid event in the batch: line 1: timestamp must be ISO 8601 like 2026-01-31T12:00:00.000Z, got ${TEST_NOW}`,
    ]);
  });

  test('a tier called like a property that each object has is one of unknown price', async () => {
    const tiers = ['constructor', '__proto__', 'toString'].map((service_tier) => ({
      ...call,
      user_id: 'tiers',
      service_tier,
    }));
    const reply = (await (await post([call, ...tiers])).json()) as IngestReply;
    expect(reply).toMatchObject({ accepted: 4, rejected: [] });
    const events = (await stored()).events.filter(({ user_id }) => user_id === 'tiers');
    expect(events.map(({ cost_status }) => cost_status)).toEqual(tiers.map(() => 'estimated'));
  });

  test('the same event sent again is counted once and still accepted', async () => {
    const events = [1, 2, 3].map((n) => ({
      ...call,
      event_id: crypto.randomUUID(),
      timestamp: new Date(TEST_NOW - n * 1000).toISOString(),
    }));
    expect(await (await post(events)).json()).toMatchObject({ accepted: 3, duplicates: 0 });
    expect(await (await post([...events, events[0], call])).json()).toMatchObject({
      accepted: 5,
      duplicates: 4,
    });
    expect((await stored()).total).toBe(4);
  });

  test('an event with an id but no timestamp is the same event on a later retry', async () => {
    const event = { ...call, event_id: crypto.randomUUID() };
    await post([event]);
    app.clock.advance(90_000);
    expect(await (await post([event])).json()).toMatchObject({ accepted: 1, duplicates: 1 });
    const { total, events } = await stored();
    expect(total).toBe(1);
    expect(events[0]?.timestamp).toBe(new Date(TEST_NOW).toISOString());
  });

  test('an event that is re-timestamped on each retry is one event, at its first time', async () => {
    const event_id = crypto.randomUUID();
    const stamped = (seconds: number) => ({
      ...call,
      event_id,
      timestamp: new Date(TEST_NOW - seconds * 1000).toISOString(),
    });
    await post([stamped(9), stamped(8)]);
    expect(await (await post([stamped(3)])).json()).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await (await post([{ ...call, event_id }])).json()).toMatchObject({ accepted: 1, duplicates: 1 });
    const { total, events } = await stored();
    expect([total, events[0]?.timestamp]).toEqual([1, stamped(9).timestamp]);
  });

  test('the same id in another project is another event', async () => {
    const other = await app.addTenant();
    const event = { ...call, event_id: crypto.randomUUID(), timestamp: new Date(TEST_NOW).toISOString() };
    expect(await (await post([event])).json()).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await (await post([event], other.apiKey)).json()).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  test('stores the event redacted and without prompts', async () => {
    const sent = {
      ...call,
      event_id: crypto.randomUUID(),
      timestamp: '2026-06-15T11:59:59.123Z',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: 'b7ad6b7169203331',
      parent_span_id: 'root',
      latency_ms: 840.25,
      ttft_ms: 120,
      stream: true,
      user_id: 'ü-17',
      tags: { team: 'search', 'API-Key': 'hunter2' },
      metadata: { nested: [{ password: 'hunter2' }] },
      region: 'eu',
      input: 'the secret prompt',
      output: 'the secret answer',
    };
    await post([sent]);
    const { input, output, tags, metadata, region, ...plain } = sent;
    const [event] = (await stored()).events;
    expect(event).toMatchObject({
      ...plain,
      status: 'success',
      operation: 'chat',
      environment: 'production',
      cost_status: 'priced',
      tags: { team: 'search', 'API-Key': '[REDACTED]' },
      metadata: { nested: [{ password: '[REDACTED]' }], region: 'eu' },
    });
    const bytes = await Bun.file(app.ctx.db.path).text();
    const wal = await Bun.file(`${app.ctx.db.path}-wal`).text();
    expect(`${bytes}${wal}`).not.toContain('hunter2');
    expect(`${bytes}${wal}`).not.toContain('the secret');
  });

  test('an unknown model is unpriced, never free', async () => {
    await post([{ ...call, provider: 'acme', model: 'acme-1' }]);
    expect((await stored()).events[0]).toMatchObject({ cost_usd: null, cost_status: 'unpriced' });
  });

  test("the client's cost is kept and marked", async () => {
    await post([{ ...call, cost_usd: 0.000123456 }]);
    expect((await stored()).events[0]).toMatchObject({ cost_usd: 0.000123456, cost_status: 'client' });
  });
});

describe('POST /v1/ingest refuses', () => {
  const many = Array.from({ length: 101 }, () => call);
  const bodies: [string, () => Promise<Response>, number, string | RegExp][] = [
    ['101 events', () => post(many), 400, 'Max 100 events per batch'],
    ['an empty body', () => postBody(''), 400, /contains no events/],
    [
      'a body without a valid event',
      () => postBody('{}\nx'),
      400,
      /^No valid event in the batch: line 1: model is/,
    ],
    ['a missing key', () => app.fetch('/v1/ingest', { events: [call] }), 401, 'Invalid API key'],
    ['an unknown key', () => post([call], `slk_${'0'.repeat(64)}`), 401, 'Invalid API key'],
    ['a truncated gzip', () => postBody(gzipSync('x'.repeat(9999)).subarray(0, 20)), 400, /gzip/],
    ['a gzip bomb', () => postBody(gzipSync(Buffer.alloc(30_000_000))), 413, /10 MB/],
    ['a body over 10 MB', () => postBody('x'.repeat(11_000_000)), 413, /10 MB/],
    ['another coding', () => postBody('x', { 'content-encoding': 'br' }), 415, /gzip/],
  ];
  test.each(bodies)('%s', async (_, send, status, message) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatch(message);
    expect((await stored()).total).toBe(0);
  });

  test('a whole batch when it holds more new events than the month has left', async () => {
    await limitTo(5);
    expect((await post([call, call, call])).status).toBe(202);
    const refused = await post([call, call, call]);
    expect(refused.status).toBe(429);
    expect(await errorOf(refused)).toBe('Monthly quota exceeded');
    expect(Number(refused.headers.get('retry-after'))).toBe((Date.UTC(2026, 6, 1) - TEST_NOW) / 1000);
    expect((await post([call, call])).status).toBe(202);
    app.clock.set(Date.UTC(2026, 6, 1));
    expect((await post([call])).status).toBe(202);
  });

  test('nothing of what it has stored before, although the month is used up', async () => {
    await limitTo(1);
    const event = { ...call, event_id: crypto.randomUUID() };
    expect((await post([event])).status).toBe(202);
    expect(await (await post([event])).json()).toMatchObject({ accepted: 1, duplicates: 1 });
    expect((await post([call])).status).toBe(429);
  });
});
