import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Libsql from 'libsql';
import { databaseOf } from '../clickhouse/start.ts';
import { eventually } from '../helpers/eventually.ts';
import { openFolder } from '../helpers/folder.ts';
import { randomBelow } from '../helpers/random.ts';
import { startRedis, type TestRedis } from '../helpers/redis.ts';
import type { RunningServer } from '../helpers/server.ts';
import { type EngineProxy, openEngineProxy } from './engine-proxy.ts';
import { openRemoteLedger, type RemoteLedger } from './ledger.ts';

/** `SERVER_ROUNDS=100` takes about half an hour. */
const ROUNDS = Number(process.env.SERVER_ROUNDS ?? 3);
const MOST_LIFE_MS = 2_000;
const SENDERS = 4;
/** Room for what is sent, so that the last rounds meet the quota. */
const QUOTA = 200 + ROUNDS * 60;
/** After a kill: the lease of the leader, the turn of a project and a sweep. */
const SETTLE_MS = 60_000;

/** Run by `bun run test:clickhouse --all`, or as `EVENT_STORE=clickhouse bun test ./tests/libsql/servers.clickhouse.ts`. */
describe('two servers over one ClickHouse, one libSQL server and one Redis', () => {
  const folder = openFolder();
  const below = randomBelow();
  let redis: TestRedis;
  let engine: EngineProxy;
  let ledger: RemoteLedger;
  let servers: RunningServer[];
  let keys: string[];
  /** Ids of acknowledged events. */
  const acknowledged = new Set<string>();
  let next = 0;

  beforeAll(async () => {
    redis = await startRedis();
    engine = openEngineProxy(await databaseOf(folder.path('')));
    ledger = await openRemoteLedger({
      EVENTS_URL: engine.url,
      EVENTS_READ_USER: 'reader',
      REDIS_URL: redis.url,
    });
    await ledger.init();
    const plan = ['orgs', 'set-plan', 'Acme', 'free', '--monthly-events', String(QUOTA)];
    expect((await ledger.command(plan)).code).toBe(0);
    keys = [];
    for (let i = 0; i <= SENDERS; i++) {
      const made = await ledger.command([
        ...['keys', 'create', '--project', 'assistant', '--name', `sender ${i}`, '--json'],
      ]);
      keys.push(String((JSON.parse(made.stdout) as { apiKey: string }).apiKey));
    }
    servers = [await ledger.serve(), await ledger.serve()];
  }, 300_000);
  afterAll(async () => {
    await Promise.all(servers.map(({ end }) => end('SIGKILL')));
    await ledger.close();
    await engine.stop();
    await redis.close();
    folder.remove();
  });

  /** A version 7 id holds the time of its event, so that a repetition is the same event. */
  const ids = (count: number): string[] => Array.from({ length: count }, () => Bun.randomUUIDv7());
  const timeOf = (id: string): string =>
    new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();
  const bodyOf = (events: readonly string[]): string =>
    events
      .map((event_id) =>
        JSON.stringify({
          ...{ event_id, timestamp: timeOf(event_id), provider: 'openai', model: 'gpt-4o' },
          ...{ input_tokens: 1, output_tokens: 1 },
        }),
      )
      .join('\n');

  type Sent = { readonly status: number; readonly duplicates?: unknown; readonly error?: unknown };

  async function sendTo(server: RunningServer, key: string, body: string): Promise<Sent> {
    const response = await fetch(`${server.url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body,
    });
    const { duplicates, error } = (await response.json()) as Sent;
    return { status: response.status, duplicates, error };
  }

  /** Sends a batch to the servers in turn until one takes it or the quota is used up. */
  async function deliver(key: string, events: readonly string[]): Promise<Sent> {
    for (;;) {
      const server = servers[next++ % servers.length] as RunningServer;
      const sent = await sendTo(server, key, bodyOf(events)).catch(() => null);
      if (sent?.status === 202) for (const id of events) acknowledged.add(id);
      if (sent !== null && sent.status !== 503) return sent;
      await Bun.sleep(20);
    }
  }

  const storedIds = async (): Promise<string[]> =>
    (await engine.query('SELECT toString(event_id) FROM events FINAL')).split('\n').filter(Boolean);

  /** What is counted against the quota, in the file of the libSQL server. */
  function counted(): number {
    const file = new Libsql(ledger.server.file);
    const [row] = file.prepare('SELECT coalesce(sum(events), 0) AS events FROM usage_months').all([]) as [
      { events: number },
    ];
    file.close();
    return row.events;
  }

  /** Nothing is lost or twice, and what is counted is stored. */
  async function compare(): Promise<void> {
    await eventually(
      'as many events counted as stored',
      async () => {
        const found = await storedIds();
        expect(counted()).toBeLessThanOrEqual(QUOTA);
        return counted() === found.length;
      },
      SETTLE_MS,
    );
    const found = await storedIds();
    expect(new Set(found).size).toBe(found.length);
    const stored = new Set(found);
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  }

  test('both store events; the same batch sent to both at once is stored and charged once', async () => {
    const [key = ''] = keys;
    for (let i = 0; i < 10; i++) {
      const batch = ids(3);
      const before = counted();
      const replies = await Promise.all(
        [...servers, ...servers].map((server) => sendTo(server, key, bodyOf(batch))),
      );
      expect(replies.map(({ status, error }) => [status, error])).toEqual(
        replies.map(() => [202, undefined]),
      );
      expect(replies.reduce((sum, { duplicates }) => sum + Number(duplicates), 0)).toBe(9);
      for (const id of batch) acknowledged.add(id);
      expect(counted() - before).toBe(3);
    }
    await compare();
  }, 60_000);

  test(
    'either is killed at any moment under ingest: nothing is lost or twice, and the quota is exact',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        let isOver = false;
        const senders = keys.slice(0, SENDERS).map(async (key) => {
          while (!isOver) {
            const sent = await deliver(key, ids(1 + below(6)));
            expect([202, 429]).toContain(sent.status);
            await Bun.sleep(60 + below(200));
          }
        });
        await Bun.sleep(below(MOST_LIFE_MS));
        const place = below(2);
        await servers[place]?.end('SIGKILL');
        servers[place] = await ledger.serve();
        await Bun.sleep(below(500));
        isOver = true;
        await Promise.all(senders);
        await compare();
      }
      // What is left of the quota is given away to the last event.
      for (let sent = await deliver(keys[0] as string, ids(1)); sent.status === 202; )
        sent = await deliver(keys[next % SENDERS] as string, ids(1));
      await compare();
      expect([counted(), (await storedIds()).length]).toEqual([QUOTA, QUOTA]);
      expect((await ledger.command(['audit', 'verify'])).code).toBe(0);
    },
    (SETTLE_MS + 60_000) * (ROUNDS + 1),
  );
});
