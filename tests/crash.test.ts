import { afterAll, expect, test } from 'bun:test';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { SEGMENT_EVENTS } from '../src/core/events/stores/sqlite/segments/pieces.ts';
import { eventually } from './helpers/eventually.ts';
import { openFolder } from './helpers/folder.ts';
import { randomBelow } from './helpers/random.ts';
import { initLedger, type RunningServer, runCommand, runJob, startServer } from './helpers/server.ts';
import { queryFile, storageFaults, storedEvents } from './helpers/stored-events.ts';
import { sumFaults } from './helpers/stored-sums.ts';

/** How often the server is killed; the long form is CRASH_ROUNDS=1000. A file is used for some of them. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 6);
const IS_LONG = ROUNDS > 6;
/** In the long form most kills come at any time: a segment takes some seconds to fill. */
const ROUNDS_PER_LEDGER = IS_LONG ? 12 : 3;
/** The numbers of events in the batches of each sender: many small batches, and full ones. */
const SENDERS = [1, 3, 100, 100, 100] as const;
const HALF_DAY = 12 * 3_600_000;
const folder = openFolder();
const random = randomBelow();
afterAll(() => folder.remove());

type Batch = { ids: string[]; body: Uint8Array<ArrayBuffer> };

/** Events of two or three days, so that several segments are made of them. */
function makeBatch(size: number): Batch {
  const ids = Array.from({ length: size }, () => crypto.randomUUID());
  const lines = ids.map((event_id, i) =>
    JSON.stringify({
      event_id,
      timestamp: new Date(Date.now() - (i % 3) * HALF_DAY).toISOString(),
      provider: 'openai',
      model: i % 7 === 0 ? 'unheard-of' : 'gpt-4o',
      status: i % 11 === 0 ? 'error' : 'success',
      user_id: `user-${i % 13}`,
      tags: { team: `team-${i % 3}` },
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

type Sent = { readonly acked: Batch[]; readonly unknown: Batch[] };

/** Sends until the server is gone; tells the batches that were acknowledged from those that were not. */
async function flood(server: RunningServer, apiKey: string, size: number, sent: Sent): Promise<void> {
  for (let events = 0; ; events += size) {
    const batch = makeBatch(size);
    const response = await send(server, apiKey, batch).catch(() => null);
    if (response?.status === 202) {
      sent.acked.push(batch);
      // What comes after a segment would only make the checks longer.
      if (size < 100 || events > 1.25 * SEGMENT_EVENTS) await Bun.sleep(50);
    } else if (response === null) {
      sent.unknown.push(batch);
      return;
    } else {
      expect([429, 503]).toContain(response.status);
      // A sender waits after a 429, as a client does.
      await Bun.sleep(20);
    }
  }
}

const newestSegment = (db: string): number =>
  Number(queryFile(db, "SELECT total(seq) FROM sqlite_sequence WHERE name = 'event_segments'")[0]?.[0]);

/**
 * Returns when the server has finished a segment after `newest`, or has begun one and was `killed` for that. A process
 * of its own looks into the file, because copying a file releases the locks that connections of the copying process
 * have on it.
 */
async function untilSealing(db: string, newest: number, killed?: number): Promise<void> {
  const sql = `SELECT no FROM event_segments WHERE no > ${newest} AND ready = ${Number(killed === undefined)}`;
  const look = Bun.spawn([
    process.execPath,
    Bun.fileURLToPath(new URL('./helpers/until-rows.ts', import.meta.url)),
    db,
    sql,
    ...(killed === undefined ? [] : [String(killed)]),
  ]);
  // On a busy machine none may be seen for a minute: then the kill comes at any time.
  await look.exited;
}

/** One ledger through some rounds of: serve, flood, kill, and compare what is on disk. Returns kills while sealing. */
async function killRounds(db: string, rounds: number): Promise<number> {
  const { apiKey } = await initLedger(db, 'ada@example.com', 'correct horse battery');
  // Each has the requests of a key for itself, so that a segment is filled soon.
  const keys = [apiKey];
  while (keys.length < SENDERS.length) keys.push(await createKey(db, `sender ${keys.length}`));
  const sent: Sent = { acked: [], unknown: [] };
  let [inSeal, newest] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(db);
    const before = sent.acked.length;
    const flooding = SENDERS.map((size, i) => flood(server, keys[i] ?? '', size, sent));
    await eventually('a batch of each sender', () => sent.acked.length >= before + SENDERS.length, 60_000);
    // At any time, while a segment is stored in part, or after a segment has become visible.
    if (round % ROUNDS_PER_LEDGER === 1) await untilSealing(db, newest, server.pid);
    else {
      if (round % ROUNDS_PER_LEDGER === 2) await untilSealing(db, newest);
      await Bun.sleep(random(300));
    }
    await server.end('SIGKILL');
    await Promise.all(flooding);
    const left = checkCopy(db, sent);
    newest = left.newest;
    inSeal += Number(left.isUnready);
  }
  const server = await startServer(db);
  const retried = await Promise.all(sent.unknown.map((batch) => sendPatiently(server, apiKey, batch)));
  expect(retried).toEqual(retried.map(() => 202));
  await sealAll(db);
  expect(await server.end('SIGTERM')).toBe(0);
  const all = [...sent.acked, ...sent.unknown];
  expect(check(db, { acked: all, unknown: [] })).toBe(all.flatMap(({ ids }) => ids).length);
  // What the kills left of segments is deleted.
  expect(unreadySegments(db)).toBe(0);
  if (IS_LONG)
    process.stderr.write(
      `${rounds} kills, ${inSeal} while sealing; ${sent.acked.flatMap(({ ids }) => ids).length} acknowledged events\n`,
    );
  return inSeal;
}

async function createKey(db: string, name: string): Promise<string> {
  const { code, stdout } = await runCommand([
    ...['keys', 'create', '--db', db, '--project', 'assistant'],
    ...['--name', name, '--quiet'],
  ]);
  expect(code).toBe(0);
  return stdout.trim();
}

/** Seals by the job, which the server runs by itself some seconds after its start. */
async function sealAll(db: string): Promise<void> {
  expect((await runJob(db, 'events.seal_log')).code).toBe(0);
}

test(
  'kill -9 in the middle of ingest and sealing loses nothing acknowledged, halves no batch and counts nothing twice',
  async () => {
    let inSeal = 0;
    for (let done = 0; done < ROUNDS; done += ROUNDS_PER_LEDGER) {
      const db = folder.path(`crash-${done}.db`);
      inSeal += await killRounds(db, Math.min(ROUNDS_PER_LEDGER, ROUNDS - done));
      for (const file of new Bun.Glob(`crash-${done}.db*`).scanSync(folder.path('.')))
        rmSync(folder.path(file));
    }
    expect(inSeal).toBeGreaterThan(0);
  },
  60_000 + ROUNDS * 10_000,
);

/**
 * Checks a copy: opening the file itself would recover it, and that is the next server's work. Returns the number of the
 * newest segment, and whether one is stored in part.
 */
function checkCopy(db: string, sent: Sent): { newest: number; isUnready: boolean } {
  const copy = `${db}.copy`;
  for (const side of ['', '-wal']) if (existsSync(db + side)) copyFileSync(db + side, copy + side);
  check(copy, sent);
  const left = { newest: newestSegment(copy), isUnready: unreadySegments(copy) > 0 };
  for (const side of ['', '-wal', '-shm']) rmSync(copy + side, { force: true });
  return left;
}

const unreadySegments = (db: string): number =>
  queryFile(db, 'SELECT no FROM event_segments WHERE ready = 0').length;

/** The file against what was acknowledged, its sums and the month's counter against a recount; returns its events. */
function check(db: string, { acked, unknown }: Sent): number {
  const rows = storedEvents(db);
  const stored = new Set(rows.map(({ event }) => event.event_id));
  const has = (id: string): boolean => stored.has(id);
  expect(acked.flatMap((batch) => batch.ids).filter((id) => !has(id))).toEqual([]);
  for (const batch of unknown) expect([0, batch.ids.length]).toContain(batch.ids.filter(has).length);

  expect(queryFile(db, 'PRAGMA integrity_check')).toEqual([['ok']]);
  expect(queryFile(db, 'PRAGMA foreign_key_check')).toEqual([]);
  expect(storageFaults(db, rows)).toEqual([]);
  expect(sumFaults(db, rows)).toEqual([]);
  for (const table of ['usage_months', 'usage_days'])
    expect(queryFile(db, `SELECT sum(events) FROM ${table}`)).toEqual([[rows.length]]);
  return rows.length;
}
