import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { RedisClient } from 'bun';
import Libsql from 'libsql';
import { LIMITS } from '../../src/http/limits.ts';
import { databaseOf } from '../clickhouse/start.ts';
import { eventually } from '../helpers/eventually.ts';
import { openFolder } from '../helpers/folder.ts';
import { randomBelow } from '../helpers/random.ts';
import { startRedis, type TestRedis } from '../helpers/redis.ts';
import type { RunningServer } from '../helpers/server.ts';
import { type EngineProxy, openEngineProxy } from './engine-proxy.ts';
import { openRemoteLedger, type RemoteLedger } from './ledger.ts';
import { openRoundRobin } from './round-robin.ts';

/** `SERVER_ROUNDS=100` takes about half an hour. */
const ROUNDS = Number(process.env.SERVER_ROUNDS ?? 3);
const MOST_LIFE_MS = 2_000;
const SENDERS = 4;
/** Room of a round at most, so that it meets the quota or not. */
const MOST_ROOM = 400;
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
  /** Id of the last one, which only the limit is tried with. */
  let limited: string;
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
    await allow(MOST_ROOM);
    keys = [];
    for (let i = 0; i <= SENDERS; i++) {
      const made = await ledger.command([
        ...['keys', 'create', '--project', 'assistant', '--name', `sender ${i}`, '--json'],
      ]);
      const { id, apiKey } = JSON.parse(made.stdout) as { id: string; apiKey: string };
      keys.push(apiKey);
      limited = id;
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

  let quota = 0;
  /** Raises the quota by so many events. Refused while no server leads. */
  async function allow(events: number): Promise<void> {
    quota += events;
    const plan = ['orgs', 'set-plan', 'Acme', 'free', '--monthly-events', String(quota)];
    await eventually('the quota set', async () => (await ledger.command(plan)).code === 0, SETTLE_MS);
  }

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

  async function sendTo(server: Pick<RunningServer, 'url'>, key: string, body: string): Promise<Sent> {
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
        expect(counted()).toBeLessThanOrEqual(quota);
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

  /** What is counted and stored more after some work; both are the same. */
  async function added(work: () => Promise<void>): Promise<number> {
    const before = counted();
    await work();
    await compare();
    return counted() - before;
  }
  const at = async (place: number, batch: readonly string[]): Promise<Sent> => {
    const sent = await sendTo(servers[place] as RunningServer, keys[place] as string, bodyOf(batch));
    if (sent.status === 202) for (const id of batch) acknowledged.add(id);
    return sent;
  };

  test('the engine times out and the insert landed: 503, charged once, and the repetition at the other server is a duplicate', async () => {
    const batch = ids(5);
    const charged = await added(async () => {
      engine.become('late');
      expect((await at(0, batch)).status).toBe(503);
      engine.become('pass');
      expect(await at(1, batch)).toMatchObject({ status: 202, duplicates: 5 });
    });
    expect(charged).toBe(5);
  }, 60_000);

  test('an insert did not land: the other server inserts it first, and the repetition is a duplicate', async () => {
    const batch = ids(7);
    const charged = await added(async () => {
      engine.become('refused');
      expect((await at(1, batch)).status).toBe(503);
      engine.become('pass');
      expect(await at(0, batch)).toMatchObject({ status: 202, duplicates: 7 });
    });
    expect(charged).toBe(7);
  }, 60_000);

  test('a server dies after the commit of a batch: it is inserted without anybody asking', async () => {
    const batch = ids(3);
    const charged = await added(async () => {
      engine.become('refused');
      expect((await at(1, batch)).status).toBe(503);
      await servers[1]?.end('SIGKILL');
      engine.become('pass');
      servers[1] = await ledger.serve();
    });
    expect(charged).toBe(3);
    expect(await at(0, batch)).toMatchObject({ status: 202, duplicates: 3 });
  }, 120_000);

  test('the control plane is away: 503 everywhere, nothing is stored or charged', async () => {
    const batch = ids(4);
    const charged = await added(async () => {
      await ledger.server.pause();
      const replies = await Promise.all([at(0, batch), at(1, batch)]);
      expect(replies.map(({ status }) => status)).toEqual([503, 503]);
      await ledger.server.resume();
    });
    expect(charged).toBe(0);
    expect(await deliver(keys[0] as string, batch)).toMatchObject({ status: 202, duplicates: 0 });
  }, 60_000);

  /** Whether a server has the turn of a project. */
  function isTaken(): boolean {
    const file = new Libsql(ledger.server.file);
    const rows = file.prepare("SELECT 1 FROM server_turns WHERE holder <> ''").all([]);
    file.close();
    return rows.length > 0;
  }

  test('a server that stands still in its turn loses it to the other one, and stores nothing twice', async () => {
    let sent = 0;
    const charged = await added(async () => {
      const { pid } = servers[1] as RunningServer;
      for (let isStopped = false; !isStopped; ) {
        const batch = ids(6);
        sent += batch.length;
        const first = at(1, batch).catch(() => null);
        const until = performance.now() + 500;
        while (!isTaken() && performance.now() < until) await Bun.sleep(1);
        process.kill(pid, 'SIGSTOP');
        isStopped = isTaken();
        const taken = async (): Promise<boolean> => (await at(0, batch)).status === 202;
        try {
          await eventually('the batch taken by the other server', taken, 30_000);
        } finally {
          process.kill(pid, 'SIGCONT');
        }
        await first;
      }
    });
    expect(charged).toBe(sent);
  }, 120_000);

  test('the limit of a key is one for both servers, to the last request', async () => {
    const key = keys.at(-1) as string;
    const left = 10;
    // As if the others had been sent just now.
    const client = new RedisClient(redis.url);
    const sent = Array.from({ length: LIMITS.ingest.limit - left }, () => String(Date.now()));
    await client.send('RPUSH', [`spanledger:limit:ingest:${limited}`, ...sent]);
    client.close();
    const replies = await Promise.all(
      Array.from({ length: 4 * left }, (_, i) => sendTo(servers[i % 2] as RunningServer, key, 'not json')),
    );
    expect(replies.filter(({ status }) => status !== 429)).toHaveLength(left);
  }, 60_000);

  test('servers are restarted one after the other under ingest: each batch is stored at its first try', async () => {
    await allow(2_000);
    const proxy = openRoundRobin(servers.map(({ url }) => url));
    let isOver = false;
    const replies: string[] = [];
    const senders = keys.slice(0, SENDERS).map(async (key) => {
      while (!isOver) {
        const batch = ids(1 + below(6));
        const sent = await sendTo(proxy, key, bodyOf(batch));
        replies.push(`${sent.status} ${sent.error ?? ''}`.trim());
        if (sent.status === 202) for (const id of batch) acknowledged.add(id);
        await Bun.sleep(60 + below(200));
      }
    });
    for (const old of servers.slice()) {
      const fresh = await ledger.serve();
      proxy.add(fresh.url);
      await old.end('SIGTERM');
      proxy.remove(old.url);
      servers = [...servers.filter((one) => one !== old), fresh];
    }
    isOver = true;
    await Promise.all(senders);
    proxy.stop();
    expect(replies.length).toBeGreaterThan(20);
    expect(new Set(replies)).toEqual(new Set(['202']));
    await compare();
  }, 120_000);

  test(
    'either is killed at any moment under ingest: nothing is lost or twice, and the quota is exact',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await allow(Math.max(0, counted() + 1 + below(MOST_ROOM) - quota));
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
      for (const size of [20, 5, 1])
        while ((await deliver(keys[next % SENDERS] as string, ids(size))).status === 202);
      await compare();
      expect([counted(), (await storedIds()).length]).toEqual([quota, quota]);
      expect((await ledger.command(['audit', 'verify'])).code).toBe(0);
    },
    (SETTLE_MS + 60_000) * (ROUNDS + 1),
  );
});
