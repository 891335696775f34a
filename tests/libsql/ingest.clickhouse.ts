import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Libsql from 'libsql';
import { databaseOf } from '../clickhouse/start.ts';
import { openFolder } from '../helpers/folder.ts';
import { randomBelow } from '../helpers/random.ts';
import type { Ledger, RunningServer } from '../helpers/server.ts';
import { type EngineProxy, openEngineProxy } from './engine-proxy.ts';
import { openRemoteLedger, type RemoteLedger } from './ledger.ts';

const QUOTA = 400;
const KILLS = Number(process.env.KILL_ROUNDS ?? 4);
const MOST_LIFE_MS = 1_500;

/** Run by `bun run test:clickhouse --all`, or as `EVENT_STORE=clickhouse bun test ./tests/libsql/ingest.clickhouse.ts`. */
describe('events on ClickHouse, everything else on a libSQL server', () => {
  const folder = openFolder();
  const below = randomBelow();
  let engine: EngineProxy;
  let ledger: RemoteLedger;
  let made: Ledger;
  let server: RunningServer;
  /** Ids of acknowledged events. */
  const acknowledged = new Set<string>();

  beforeAll(async () => {
    engine = openEngineProxy(await databaseOf(folder.path('')));
    ledger = await openRemoteLedger({ EVENTS_URL: engine.url, EVENTS_READ_USER: 'reader' });
    made = await ledger.init();
    const plan = ['orgs', 'set-plan', 'Acme', 'free', '--monthly-events', String(QUOTA)];
    expect((await ledger.command(plan)).code).toBe(0);
    server = await ledger.serve();
  }, 300_000);
  afterAll(async () => {
    await server.end('SIGKILL');
    await ledger.close();
    await engine.stop();
    folder.remove();
  });

  /** A version 7 id holds the time of its event, so that a repetition is the same event. */
  const ids = (count: number): string[] => Array.from({ length: count }, () => Bun.randomUUIDv7());
  const timeOf = (id: string): string =>
    new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();

  async function send(events: readonly string[]): Promise<{ status: number; duplicates: unknown }> {
    const lines = events.map((event_id) =>
      JSON.stringify({
        event_id,
        timestamp: timeOf(event_id),
        provider: 'openai',
        model: 'gpt-4o',
        input_tokens: 1,
        output_tokens: 1,
      }),
    );
    const response = await fetch(`${server.url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': made.apiKey },
      body: lines.join('\n'),
    });
    const body = (await response.json()) as { duplicates?: unknown };
    if (response.status === 202) for (const id of events) acknowledged.add(id);
    return { status: response.status, duplicates: body.duplicates };
  }

  const stored = async (): Promise<number> => Number(await engine.query('SELECT count() FROM events FINAL'));
  const storedIds = async (): Promise<Set<string>> =>
    new Set((await engine.query('SELECT toString(event_id) FROM events FINAL')).split('\n'));

  /** What is counted against the quota, in the file of the libSQL server. */
  function counted(): number {
    const file = new Libsql(ledger.server.file);
    const [row] = file.prepare('SELECT coalesce(sum(events), 0) AS events FROM usage_months').all([]) as [
      { events: number },
    ];
    file.close();
    return row.events;
  }

  test('an insert that landed without an answer is 503, charged once, and its repetition a duplicate', async () => {
    const before = counted();
    const batch = ids(5);
    engine.become('late');
    expect((await send(batch)).status).toBe(503);
    engine.become('pass');
    expect(counted() - before).toBe(5);
    expect(await send(batch)).toEqual({ status: 202, duplicates: 5 });
    expect(counted() - before).toBe(5);
    expect(await stored()).toBe(counted());
  });

  test('an insert that did not land is 503, inserted when the engine is back, and charged once', async () => {
    const before = counted();
    const batch = ids(7);
    engine.become('refused');
    expect((await send(batch)).status).toBe(503);
    expect(await stored()).toBe(before);
    engine.become('pass');
    // It is charged already, and inserted before anything that comes later.
    expect((await send(ids(1))).status).toBe(202);
    expect(await stored()).toBe(before + 8);
    expect(await send(batch)).toEqual({ status: 202, duplicates: 7 });
    expect([counted(), await stored()]).toEqual([before + 8, before + 8]);
  });

  test('while the control plane is away nothing is stored or charged', async () => {
    const before = await stored();
    const batch = ids(3);
    await ledger.server.pause();
    expect((await send(batch)).status).toBe(503);
    await ledger.server.resume();
    expect([counted(), await stored()]).toEqual([before, before]);
    expect(await send(batch)).toEqual({ status: 202, duplicates: 0 });
    expect([counted(), await stored()]).toEqual([before + 3, before + 3]);
  });

  test('the same batch sent ten times at once is stored and charged once', async () => {
    const before = counted();
    const batch = ids(4);
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(batch)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
    expect([counted(), await stored()]).toEqual([before + 4, before + 4]);
  });

  test(
    'a server is killed at any moment and another one takes over: nothing is lost or twice, and the quota is exact',
    async () => {
      for (let round = 0; round < KILLS; round++) {
        const next = ledger.serve();
        const isKilled = Bun.sleep(below(MOST_LIFE_MS)).then(() => server.end('SIGKILL'));
        const unsure: string[][] = [];
        for (let isUp = true; isUp; ) {
          const batch = ids(1 + below(6));
          const reply = await send(batch).catch(() => null);
          isUp = reply !== null;
          if (reply === null) unsure.push(batch);
          else expect([202, 429]).toContain(reply.status);
        }
        await isKilled;
        server = await next;
        // Senders repeat what was not acknowledged.
        for (const batch of unsure) expect([202, 429]).toContain((await send(batch)).status);
        const found = await storedIds();
        expect([...acknowledged].filter((id) => !found.has(id))).toEqual([]);
        expect(counted()).toBe(found.size);
        expect(found.size).toBeLessThanOrEqual(QUOTA);
      }
      // What is left of the quota is given away to the last event.
      while ((await send(ids(1))).status === 202);
      expect([counted(), await stored(), acknowledged.size]).toEqual([QUOTA, QUOTA, QUOTA]);
      expect((await ledger.command(['audit', 'verify'])).code).toBe(0);
    },
    60_000 * (KILLS + 2),
  );
});
