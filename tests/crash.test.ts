import { afterAll, expect, test } from 'bun:test';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import Libsql from 'libsql';
import { eventually } from './helpers/eventually.ts';
import { openFolder } from './helpers/folder.ts';
import { randomBelow } from './helpers/random.ts';
import { initLedger, type RunningServer, startServer } from './helpers/server.ts';

/** How often the server is killed; the long form is CRASH_ROUNDS=1000. A file is used for some of them. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 20);
const ROUNDS_PER_LEDGER = 20;
const SENDERS = 4;
const BATCH = 100;
const folder = openFolder();
const random = randomBelow();
afterAll(() => folder.remove());

type Batch = { ids: string[]; body: Uint8Array<ArrayBuffer> };

function makeBatch(): Batch {
  const ids = Array.from({ length: BATCH }, () => crypto.randomUUID());
  const lines = ids.map((event_id, i) =>
    JSON.stringify({
      event_id,
      timestamp: new Date(Date.now() - i * 60_000).toISOString(),
      provider: 'openai',
      model: i % 7 === 0 ? 'unheard-of' : 'gpt-4o',
      status: i % 11 === 0 ? 'error' : 'success',
      input_tokens: i * 10,
      output_tokens: i,
      latency_ms: i * 7.5,
    }),
  );
  return { ids, body: gzipSync(lines.join('\n')) };
}

const send = (server: RunningServer, apiKey: string, batch: Batch): Promise<Response> =>
  fetch(`${server.url}/v1/ingest`, { method: 'POST', headers: { 'x-api-key': apiKey }, body: batch.body });

/** Sends a batch until it is neither refused by the limit nor for load, as a client does. */
async function sendPatiently(server: RunningServer, apiKey: string, batch: Batch): Promise<number> {
  for (;;) {
    const { status } = await send(server, apiKey, batch);
    if (status !== 429 && status !== 503) return status;
    await Bun.sleep(20);
  }
}

/** Sends until the server is gone; tells the batches that were acknowledged from those that were not. */
async function flood(server: RunningServer, apiKey: string, acked: Batch[], unknown: Batch[]): Promise<void> {
  for (;;) {
    const batch = makeBatch();
    const response = await send(server, apiKey, batch).catch(() => null);
    if (response?.status === 202) acked.push(batch);
    else if (response === null) {
      unknown.push(batch);
      return;
    } else {
      expect([429, 503]).toContain(response.status);
      // A sender waits after a 429, as a client does.
      await Bun.sleep(20);
    }
  }
}

/** One ledger through some rounds of: serve, flood, kill, and compare what is on disk. */
async function killRounds(db: string, rounds: number): Promise<void> {
  const { apiKey } = await initLedger(db, 'ada@example.com', 'correct horse battery');
  const acked: Batch[] = [];
  const unknown: Batch[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(db);
    const before = acked.length;
    const flooding = Array.from({ length: SENDERS }, () => flood(server, apiKey, acked, unknown));
    await eventually('a batch of each sender', () => acked.length >= before + SENDERS, 60_000);
    // The moment of the end is what is random here.
    await Bun.sleep(random(300));
    await server.end('SIGKILL');
    await Promise.all(flooding);
    checkCopy(db, acked, unknown);
  }
  const server = await startServer(db);
  const retried = await Promise.all(unknown.map((batch) => sendPatiently(server, apiKey, batch)));
  expect(retried).toEqual(retried.map(() => 202));
  expect(await server.end('SIGTERM')).toBe(0);
  check(db, [...acked, ...unknown], []);
  expect(countEvents(db)).toBe((acked.length + unknown.length) * BATCH);
}

test(
  'kill -9 in the middle of ingest loses nothing acknowledged, halves no batch and counts nothing twice',
  async () => {
    for (let done = 0; done < ROUNDS; done += ROUNDS_PER_LEDGER) {
      const db = folder.path(`crash-${done}.db`);
      await killRounds(db, Math.min(ROUNDS_PER_LEDGER, ROUNDS - done));
      for (const file of new Bun.Glob(`crash-${done}.db*`).scanSync(folder.path('.')))
        rmSync(folder.path(file));
    }
  },
  60_000 + ROUNDS * 10_000,
);

/** Checks a copy: opening the file itself would recover it, and that is the next server's work. */
function checkCopy(db: string, acked: Batch[], unknown: Batch[]): void {
  const copy = `${db}.copy`;
  for (const side of ['', '-wal']) if (existsSync(db + side)) copyFileSync(db + side, copy + side);
  check(copy, acked, unknown);
  for (const side of ['', '-wal', '-shm']) rmSync(copy + side, { force: true });
}

function countEvents(db: string): number {
  return query<[number]>(db, 'SELECT count(*) FROM events')[0]?.[0] ?? 0;
}

function query<T>(db: string, sql: string): T[] {
  const connection = new Libsql(db);
  try {
    return connection.prepare(sql).raw(true).all() as T[];
  } finally {
    connection.close();
  }
}

/** The file against what was acknowledged, the roll-ups and the month's counter against a recount. */
function check(db: string, acked: Batch[], unknown: Batch[]): void {
  const stored = new Set(query<[string]>(db, 'SELECT lower(hex(event_id)) FROM events').map(([id]) => id));
  const has = (id: string): boolean => stored.has(id.replaceAll('-', ''));
  expect(acked.flatMap((batch) => batch.ids).filter((id) => !has(id))).toEqual([]);
  for (const batch of unknown) expect([0, batch.ids.length]).toContain(batch.ids.filter(has).length);

  expect(query(db, 'PRAGMA integrity_check')).toEqual([['ok']]);
  expect(query(db, 'PRAGMA foreign_key_check')).toEqual([]);
  const recount = query(
    db,
    `SELECT count(*), total(cost_nano), total(cost_status = 1), total(fresh_tokens), total(output_tokens),
       total(round(latency_ms * 1000)) FROM events`,
  );
  for (const table of ['rollup_slots', 'rollup_hours', 'rollup_days']) {
    const sums = `SELECT sum(requests), total(cost_nano), total(unpriced), total(fresh_tokens), total(output_tokens),
      total(latency_us) FROM ${table}`;
    expect(query(db, sums)).toEqual(recount);
  }
  for (const table of ['usage_months', 'usage_days'])
    expect(query(db, `SELECT sum(events) FROM ${table}`)).toEqual([[countEvents(db)]]);
}
