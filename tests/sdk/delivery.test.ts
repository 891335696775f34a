import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type ClientOptions, createClient, type Problem } from '../../src/sdk/index.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Fault, withFaults } from './faults.ts';
import { fetchOf, linesOf, readEvents } from './world.ts';

let app: TestApp;
let clients: Client[];
beforeEach(async () => {
  app = await openTestApp({ now: Date.now() });
  clients = [];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.shutdown({ timeoutMs: 1 })));
  await app.close();
});

const open = (faults: Fault[], options: ClientOptions = {}) => {
  const problems: Problem[] = [];
  const { fetch, attempts } = withFaults(fetchOf(app), faults);
  const client = createClient({
    apiKey: app.seed.apiKey,
    baseUrl: 'http://ledger.test',
    env: {},
    fetch,
    onProblem: (problem) => void problems.push(problem),
    ...options,
  });
  clients.push(client);
  return { client, attempts, problems, kinds: () => problems.map(({ kind }) => kind) };
};

const call = (n: number) => ({ provider: 'openai', model: 'gpt-4o', input_tokens: n, output_tokens: 1 });
const trackMany = (client: Client, count: number): void => {
  for (let n = 1; n <= count; n++) client.track(call(n));
};
const tokens = async (): Promise<number[]> =>
  (await readEvents(app)).map((event) => event.input_tokens).sort((a, b) => a - b);
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

describe('batches', () => {
  test('are gzip NDJSON of at most 100 events, in order', async () => {
    const { client, attempts } = open([]);
    trackMany(client, 130);
    const stats = await client.flush();
    expect(attempts.map((attempt) => linesOf(attempt.body).length)).toEqual([100, 30]);
    expect(stats).toEqual({ accepted: 130, rejected: 0, dropped: 0, sampledOut: 0, pending: 0 });
    expect(await tokens()).toEqual(upTo(130));
  });

  test('are sent when full, or after the interval', async () => {
    const { client } = open([], { flushIntervalMs: 30, maxBatchSize: 10 });
    trackMany(client, 13);
    await eventually('13 accepted', () => client.stats().accepted >= 13);
    expect(await tokens()).toEqual(upTo(13));
  });

  test('stay below the limits of the server, whatever they contain', async () => {
    const { client, attempts } = open([], { storePrompts: true, remoteConfig: false });
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64');
    for (let n = 1; n <= 30; n++) client.track({ ...call(n), input: noise.repeat(2) });
    client.track({ ...call(31), metadata: { a: noise }, input: noise.repeat(20) });
    const stats = await client.flush();
    expect(Math.max(...attempts.map(({ body }) => body.length))).toBeLessThan(1_000_000);
    expect(stats).toMatchObject({ accepted: 31, rejected: 0, dropped: 0 });
  });

  test('a flush without events sends no request', async () => {
    let asked = 0;
    const client = createClient({ apiKey: 'slk_x', env: {}, fetch: () => Promise.reject(asked++) });
    await client.flush();
    await client.shutdown();
    expect(asked).toBe(0);
  });
});

describe('faults', () => {
  test('after a lost reply the same batch is sent again, and counts once', async () => {
    const { client, attempts, kinds } = open(['reply lost', 'unreachable', 'reply lost']);
    trackMany(client, 5);
    while ((await client.flush({ timeoutMs: 30 })).pending > 0);
    expect(attempts).toHaveLength(4);
    expect(new Set(attempts.map((attempt) => linesOf(attempt.body).join())).size).toBe(1);
    expect(client.stats()).toMatchObject({ accepted: 5, dropped: 0 });
    expect(await tokens()).toEqual(upTo(5));
    expect(kinds()).toContain('unreachable');
  });

  test('429 and 503 are retried, never before the time they name', async () => {
    const { client, attempts } = open([
      { status: 429, retryAfter: '1' },
      { status: 503, retryAfter: new Date(Date.now() - 5_000).toUTCString() },
      { status: 503, retryAfter: '0' },
    ]);
    trackMany(client, 3);
    await client.flush();
    const [first, second] = attempts;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(999);
    expect(attempts).toHaveLength(4);
    expect(await tokens()).toEqual(upTo(3));
  });

  test('an exhausted quota pauses the client with one message, and the queue is kept', async () => {
    const { client, attempts, kinds } = open([{ status: 429, retryAfter: '1209600' }]);
    trackMany(client, 3);
    const stats = await client.flush({ timeoutMs: 50 });
    await client.flush({ timeoutMs: 50 });
    expect([attempts.length, kinds(), stats.pending]).toEqual([1, ['paused'], 3]);
  });

  test('400 is never retried, and is reported', async () => {
    const { client, attempts, problems } = open([]);
    client.track({ operation: 'chat' });
    const stats = await client.flush();
    expect([attempts.length, stats.rejected, stats.accepted]).toEqual([1, 1, 0]);
    expect(problems[0]?.message).toContain('model is required');
  });

  test('refused lines are reported, and the valid ones are stored', async () => {
    const { client, problems } = open([]);
    client.track(call(1));
    const bad = client.track({ kind: 'llm' });
    client.track(call(2));
    expect(await client.flush()).toMatchObject({ accepted: 2, rejected: 1 });
    expect(await tokens()).toEqual([1, 2]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(bad);
  });

  test('a wrong key stops the client with one clear message', async () => {
    const { client, attempts, problems } = open([], { apiKey: `slk_${'0'.repeat(64)}` });
    trackMany(client, 3);
    await client.flush();
    trackMany(client, 3);
    const stats = await client.flush();
    expect(attempts).toHaveLength(0);
    expect(problems.map(({ kind }) => kind)).toEqual(['unauthorized']);
    expect(problems[0]?.message).toContain('spanledger keys create');
    expect(stats).toMatchObject({ accepted: 0, dropped: 6, pending: 0 });
  });

  test('a key that is revoked later stops the client too', async () => {
    const { client, problems } = open([{ status: 401 }]);
    trackMany(client, 3);
    expect(await client.flush()).toMatchObject({ dropped: 3, pending: 0 });
    expect(problems.map(({ kind }) => kind)).toEqual(['unauthorized']);
  });

  test('a body that is too large is halved until it fits', async () => {
    const { client, attempts } = open([{ status: 413 }, { status: 413 }]);
    trackMany(client, 8);
    await client.flush();
    expect(attempts.map((attempt) => linesOf(attempt.body).length)).toEqual([8, 4, 2, 2, 4]);
    expect(await tokens()).toEqual(upTo(8));
  });

  test('an HTML page from a proxy is an error and not an acknowledgement', async () => {
    const { client, attempts } = open([{ status: 502, retryAfter: '0' }, { status: 404 }]);
    trackMany(client, 2);
    expect(await client.flush()).toMatchObject({ accepted: 0, rejected: 2 });
    expect(attempts).toHaveLength(2);
  });
});

describe('bounds', () => {
  test('a full queue drops the oldest events, and reports how many', async () => {
    const { client, kinds } = open([{ status: 503, retryAfter: '0' }], { maxQueueEvents: 10 });
    trackMany(client, 50);
    const stats = await client.flush();
    expect(stats).toMatchObject({ dropped: 40, accepted: 10, pending: 0 });
    expect(await tokens()).toEqual(upTo(50).slice(40));
    expect(kinds()).toContain('dropped');
  });

  test('the queue is also bounded in bytes', async () => {
    const { client } = open([], { maxQueueBytes: 20_000 });
    for (let n = 1; n <= 10; n++) client.track({ ...call(n), metadata: { text: 'x'.repeat(5_000) } });
    const stats = await client.flush();
    expect(stats).toMatchObject({ accepted: 3, dropped: 7 });
  });

  test('a shutdown ends in its time, and reports what is lost', async () => {
    const { client, kinds } = open(Array.from({ length: 50 }, () => 'unreachable' as const));
    trackMany(client, 4);
    const stats = await client.shutdown({ timeoutMs: 30 });
    expect(stats).toMatchObject({ dropped: 4, pending: 0, accepted: 0 });
    expect(kinds()).toContain('dropped');
    client.track(call(9));
    expect(client.stats().pending).toBe(0);
  });

  test('a call that is running at the shutdown is recorded as cancelled', async () => {
    const { client } = open([]);
    client.startCall({ provider: 'openai', model: 'gpt-4o' });
    await client.shutdown();
    expect(await readEvents(app)).toMatchObject([{ status: 'cancelled', error_code: 'unread' }]);
  });

  test('waitUntil hands the platform all pending work, including running calls', async () => {
    const { client } = open([]);
    const running = client.startCall({ provider: 'openai', model: 'gpt-4o' });
    const handed: Promise<unknown>[] = [];
    client.waitUntil({ waitUntil: (promise) => void handed.push(promise) });
    setImmediate(() => running.end({ input_tokens: 7 }));
    await handed[0];
    expect(await tokens()).toEqual([7]);
  });
});
