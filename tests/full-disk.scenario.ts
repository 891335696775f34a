import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { initLedger, startServer } from './helpers/server.ts';

// A program for tests/full-disk.test.ts: fills the file system at its argument under a serving ledger.
const disk = process.argv[2] ?? '';
const db = join(disk, 'full.db');
const ballast = join(disk, 'ballast');
/** Room that the ballast leaves to the ledger. */
const ROOM = 2_000_000;
const login = { email: 'ada@example.com', password: 'correct horse battery' };

const { apiKey, projectId } = await initLedger(db, login.email, login.password);
const server = await startServer(db);
const acknowledged: string[] = [];

const signedIn = await fetch(`${server.url}/v1/auth/login`, { method: 'POST', body: JSON.stringify(login) });
const { token } = (await signedIn.json()) as { token: string };

async function send(): Promise<Response> {
  const ids = Array.from({ length: 100 }, () => crypto.randomUUID());
  const lines = ids.map((event_id) =>
    JSON.stringify({ event_id, provider: 'openai', model: 'gpt-4o', error_message: event_id.repeat(10) }),
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
const whileFull = {
  refused,
  reads: reads.map(({ status }) => status),
  total: reads[0]?.total ?? 0,
  health: await statusOf('/healthz'),
  ready: await statusOf('/readyz'),
};
const before = acknowledged.length;

rmSync(ballast);
const afterRoom = [];
for (let i = 0; i < 5; i++) afterRoom.push((await send()).status);
const ready = await statusOf('/readyz');
await server.end('SIGTERM');
process.stdout.write(
  JSON.stringify({ whileFull, acknowledged: before, afterRoom, ready, stored: readFile() }),
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
  const connection = new Libsql(db);
  const column = (sql: string): unknown[] =>
    connection
      .prepare(sql)
      .raw(true)
      .all([])
      .map((row) => (row as unknown[])[0]);
  const ids = new Set(column('SELECT lower(hex(event_id)) FROM events'));
  return {
    missing: acknowledged.filter((id) => !ids.has(id.replaceAll('-', ''))).length,
    events: column('SELECT count(*) FROM events')[0],
    requests: column('SELECT sum(requests) FROM rollup_hours')[0],
    quota: column('SELECT sum(events) FROM usage_months')[0],
    integrity: column('PRAGMA integrity_check')[0],
  };
}
