import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import Libsql from 'libsql';
import { eventually } from '../helpers/eventually.ts';
import { hasRedis, startRedis, type TestRedis } from '../helpers/redis.ts';
import type { Ledger, RunningServer } from '../helpers/server.ts';
import { OWNER, openRemoteLedger, type RemoteLedger } from './ledger.ts';
import { openRoundRobin } from './round-robin.ts';

/** How long a server may take to notice a change without Redis. */
const HEALS_MS = 8_000;

describe.skipIf(!hasRedis)('several servers', () => {
  let redis: TestRedis;
  let ledger: RemoteLedger;
  let made: Ledger;
  const running = new Set<RunningServer>();

  beforeAll(async () => {
    redis = await startRedis();
    ledger = await openRemoteLedger({
      EVENTS_URL: 'clickhouse://nobody@127.0.0.1:9/none',
      REDIS_URL: redis.url,
    });
    made = await ledger.init();
  }, 120_000);
  afterEach(async () => {
    await Promise.all([...running].map(({ end }) => end('SIGTERM')));
    running.clear();
  }, 60_000);
  afterAll(async () => {
    await ledger.close();
    await redis.close();
  });

  async function serve(): Promise<RunningServer> {
    const server = await ledger.serve();
    running.add(server);
    return server;
  }
  async function end(server: RunningServer, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    running.delete(server);
    await server.end(signal);
  }

  type Call = { token?: string; apiKey?: string; method?: string; json?: unknown; headers?: object };
  type Answer = { readonly status: number; readonly body: Record<string, unknown> };

  async function call(url: string, { token, apiKey, method, json, headers }: Call = {}): Promise<Answer> {
    const response = await fetch(url, {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      headers: {
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(apiKey !== undefined && { 'x-api-key': apiKey }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  }
  const signIn = async (url: string): Promise<string> =>
    String((await call(`${url}/v1/auth/login`, { json: OWNER })).body.token);
  /** 401 for a key that is not valid; 503 for one that is, because nothing stores events here. */
  const tryKey = async ({ url }: RunningServer, apiKey: string): Promise<number> =>
    (await call(`${url}/v1/ingest`, { apiKey, json: { provider: 'openai', model: 'gpt-4o' } })).status;

  function rows<T>(sql: string): T[] {
    const file = new Libsql(ledger.server.file);
    const found = file.prepare(sql).all([]) as T[];
    file.close();
    return found;
  }

  test('each answers everything; keys that are made and revoked at one are known at all', async () => {
    const [first, second] = [await serve(), await serve()];
    const token = await signIn(second.url);
    for (const { url } of [first, second]) {
      expect((await call(`${url}/healthz`)).status).toBe(200);
      expect((await call(`${url}/v1/auth/me`, { token })).body).toMatchObject({
        user: { email: OWNER.email },
      });
    }
    const path = `/v1/projects/${made.projectId}/keys`;
    for (const at of [first, second]) {
      const created = await call(`${at.url}${path}`, { token, json: { name: 'ci' } });
      expect(created.status).toBe(201);
      const apiKey = String(created.body.apiKey);
      for (const server of [first, second]) expect(await tryKey(server, apiKey)).toBe(503);
      const id = String(created.body.id);
      expect((await call(`${at.url}${path}/${id}`, { token, method: 'DELETE' })).status).toBeLessThan(300);
      // At once where it was done, as soon as the message has arrived elsewhere.
      expect(await tryKey(first, apiKey)).toBe(401);
      await eventually(
        'the key refused by the other server',
        async () => (await tryKey(second, apiKey)) === 401,
        1_000,
      );
    }
    // What passes through another server has the address of its sender.
    expect(rows("SELECT DISTINCT address FROM audit_log WHERE action = 'project.api_key_revoked'")).toEqual([
      { address: '127.0.0.1' },
    ]);
  }, 120_000);

  test('without Redis a revoked key is refused everywhere after seconds', async () => {
    const [first, second] = [await serve(), await serve()];
    const token = await signIn(first.url);
    const path = `${first.url}/v1/projects/${made.projectId}/keys`;
    const created = await call(path, { token, json: { name: 'ci' } });
    const apiKey = String(created.body.apiKey);
    expect(await tryKey(second, apiKey)).toBe(503);
    redis.stop();
    try {
      await call(`${path}/${created.body.id}`, { token, method: 'DELETE' });
      await eventually('the key refused', async () => (await tryKey(second, apiKey)) === 401, HEALS_MS);
    } finally {
      redis.resume();
    }
  }, 120_000);

  test('a header that claims to be from another server is not believed', async () => {
    const server = await serve();
    const headers = { 'spanledger-passed-on': '1 203.0.113.9;AAAA' };
    const failed = await call(`${server.url}/v1/auth/login`, {
      json: { ...OWNER, password: 'wrong' },
      headers,
    });
    expect(failed.status).toBe(401);
    expect(rows("SELECT 1 FROM audit_log WHERE address = '203.0.113.9'")).toEqual([]);
  }, 60_000);

  test('a job runs at one server only, and the list names all of them', async () => {
    const servers = [await serve(), await serve(), await serve()];
    expect(servers).toHaveLength(3);
    const listed = await ledger.command(['doctor', '--fast', '--json']);
    const { findings } = JSON.parse(listed.stdout) as { findings: { check: string; text: string }[] };
    const line = findings.find(({ check }) => check === 'servers')?.text ?? '';
    expect(line).toStartWith('3: ');
    expect(line.match(/which leads/g)).toHaveLength(1);
    for (const { url } of servers) expect(line).toContain(url);
    // A server makes up for what was missed when it leads for ten seconds.
    const runs = (): { job: string; runs: number }[] =>
      rows("SELECT job, count(*) AS runs FROM job_runs WHERE trigger = 'schedule' GROUP BY job");
    await eventually('jobs that ran', () => runs().length > 3, 30_000);
    expect(runs().filter((one) => one.runs > 1)).toEqual([]);
  }, 120_000);

  test('servers are restarted one after the other without a failed request', async () => {
    const first = await serve();
    const proxy = openRoundRobin([first.url, (await serve()).url]);
    const token = await signIn(proxy.url);
    const statuses: number[] = [];
    let isOver = false;
    const clients = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        statuses.push((await call(`${proxy.url}/v1/auth/me`, { token })).status);
        const json = { name: `renamed ${statuses.length}` };
        statuses.push((await call(`${proxy.url}/v1/auth/me`, { token, method: 'PUT', json })).status);
        // Within the limit of a login session.
        await Bun.sleep(400);
      }
    });
    for (const old of [...running]) {
      const fresh = await serve();
      proxy.add(fresh.url);
      await end(old, 'SIGTERM');
      proxy.remove(old.url);
    }
    isOver = true;
    await Promise.all(clients);
    proxy.stop();
    expect(statuses.length).toBeGreaterThan(20);
    expect(new Set(statuses)).toEqual(new Set([200, 204]));
  }, 180_000);

  test('a leader that is killed is replaced; requests wait for the next one', async () => {
    const [first, second] = [await serve(), await serve()];
    const token = await signIn(second.url);
    await end(first, 'SIGKILL');
    const { status } = await call(`${second.url}/v1/auth/me`, { token });
    expect([200, 503]).toContain(status);
    await eventually(
      'an answer of the next leader',
      async () => (await call(`${second.url}/v1/auth/me`, { token })).status === 200,
      40_000,
    );
    expect((await ledger.command(['audit', 'verify'])).code).toBe(0);
  }, 120_000);

  test('a server of another version than the database passes all on, and never leads a newer one', async () => {
    const [first, second] = [await serve(), await serve()];
    const token = await signIn(first.url);
    const ready = async ({ url }: RunningServer): Promise<Answer> => call(`${url}/readyz`);
    // It stores events, and nothing does that here.
    expect(String((await ready(second)).body.error)).toContain('event store');
    rows("INSERT INTO migrations VALUES ('9999_of_the_future', '', 0) RETURNING name");
    await eventually('only passing on', async () => (await ready(second)).status === 200);
    expect((await call(`${second.url}/v1/auth/me`, { token })).status).toBe(200);
    await end(first, 'SIGKILL');
    await eventually(
      'no leader',
      async () => (await ready(second)).body.error === 'No server leads at the moment',
      30_000,
    );
    await Bun.sleep(1_000);
    expect((await ready(second)).body.error).toBe('No server leads at the moment');
    rows("DELETE FROM migrations WHERE name = '9999_of_the_future' RETURNING name");
    await eventually(
      'a leader',
      async () => (await call(`${second.url}/v1/auth/me`, { token })).status === 200,
      20_000,
    );
  }, 120_000);

  test('readiness names what is missing', async () => {
    const [first, second] = [await serve(), await serve()];
    for (const { url } of [first, second]) {
      const { status, body } = await call(`${url}/readyz`);
      expect([status, body.error]).toEqual([503, expect.stringContaining('event store')]);
    }
    await ledger.server.pause();
    await eventually(
      'the database missing',
      async () => String((await call(`${second.url}/readyz`)).body.error).includes('database server'),
      20_000,
    );
    await ledger.server.resume();
    const ended = second.end('SIGTERM');
    running.delete(second);
    await eventually(
      'the end announced',
      async () => (await call(`${second.url}/readyz`)).body.error === 'This server is shutting down',
      1_500,
    );
    await ended;
  }, 120_000);
});
