import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../src/lib/time.ts';
import { initLedger, runJob, startServer } from './helpers/server.ts';
import { queryFile, storageFaults, storedEvents } from './helpers/stored-events.ts';
import { sumFaults } from './helpers/stored-sums.ts';

// A program for tests/full-disk.test.ts: fills the file system at its argument under a serving ledger.
const disk = process.argv[2] ?? '';
const db = join(disk, 'full.db');
const ballast = join(disk, 'ballast');
/** Room that the ballast leaves to the ledger. */
const ROOM = 2_000_000;
const login = { email: 'ada@example.com', password: 'correct horse battery' };

const { apiKey, projectId } = await initLedger(db, login.email, login.password);
let server = await startServer(db);
const acknowledged: string[] = [];

const signedIn = await fetch(`${server.url}/v1/auth/login`, { method: 'POST', body: JSON.stringify(login) });
const { token } = (await signedIn.json()) as { token: string };

async function send(): Promise<Response> {
  const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
  // Of yesterday and today, so that the job that seals earlier days has work.
  const lines = ids.map((event_id, i) =>
    JSON.stringify({
      event_id,
      timestamp: new Date(Date.now() - (i % 2) * DAY_MS).toISOString(),
      provider: 'openai',
      model: 'gpt-4o',
      error_message: event_id.repeat(10),
    }),
  );
  const request = { method: 'POST', headers: { 'x-api-key': apiKey }, body: lines.join('\n') };
  const response = await fetch(`${server.url}/v1/ingest`, request);
  if (response.status === 202) acknowledged.push(...ids);
  return response;
}

const statusOf = async (path: string): Promise<number> => (await fetch(server.url + path)).status;

async function read(path: string): Promise<{ status: number; total: number }> {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
  const { total } = (await response.json()) as { total: number };
  return { status: response.status, total };
}

/** Seals the events of yesterday. */
const seal = () => runJob(db, 'events.seal_log', '--json');

async function refusal(): Promise<object> {
  const response = await send();
  const { error } = (await response.json()) as { error: string };
  return { status: response.status, error, retryAfter: response.headers.get('retry-after') };
}

fill(ROOM);
let full = false;
while (!full) full = (await send()).status === 503;
fill(0);
const refused = [];
for (let i = 0; i < 5; i++) refused.push(await refusal());
const paths = ['events', 'costs', 'performance', 'errors'].map(
  (noun) => `/v1/${noun}?projectId=${projectId}`,
);
const reads = [];
for (const path of paths) reads.push(await read(path));
const sealing = await seal();
const whileFull = {
  refused,
  reads: reads.map(({ status }) => status),
  total: reads[0]?.total ?? 0,
  health: await statusOf('/healthz'),
  ready: await statusOf('/readyz'),
  sealing: sealing.stderr,
};
const before = acknowledged.length;

await server.end('SIGTERM');
fill(0);
server = await startServer(db);
const restarted = { refused: await refusal(), ...(await read(paths[0] ?? '')) };

rmSync(ballast);
const afterRoom = [];
for (let i = 0; i < 5; i++) afterRoom.push((await send()).status);
const ready = await statusOf('/readyz');
const sealed = (await seal()).code;
await server.end('SIGTERM');
process.stdout.write(
  JSON.stringify({
    whileFull,
    restarted,
    acknowledged: before,
    afterRoom,
    ready,
    sealed,
    stored: readFile(),
  }),
);

/** Writes the ballast until only so many bytes are free. */
function fill(free: number): void {
  const file = openSync(ballast, 'a');
  const block = new Uint8Array(4096);
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(disk);
      if (bavail * bsize <= free) return;
      writeSync(file, block);
    }
  } catch {
    // The last block did not fit.
  } finally {
    closeSync(file);
  }
}

function readFile(): object {
  const rows = storedEvents(db);
  const ids = new Set(rows.map(({ event }) => event.event_id));
  const one = (sql: string): unknown => queryFile(db, sql)[0]?.[0];
  return {
    missing: acknowledged.filter((id) => !ids.has(id)).length,
    events: rows.length,
    sealed: rows.some(({ segment }) => segment !== null),
    faults: [...storageFaults(db, rows), ...sumFaults(db, rows)],
    quota: one('SELECT sum(events) FROM usage_months'),
    integrity: one('PRAGMA integrity_check'),
  };
}
