import { afterAll, expect, test } from 'bun:test';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import Libsql from 'libsql';
import type { SqlValue } from '../src/db/connection.ts';
import { costsOf, faultsOf, type Rows } from './features/repricing/books.ts';
import { eventually } from './helpers/eventually.ts';
import { openFolder } from './helpers/folder.ts';
import { initLedger, type RunningServer, runCommand, startServer } from './helpers/server.ts';

// A server is killed while it re-prices and while it takes that back: the books are right each time, and
// what was begun is finished.
const EVENTS = 5_000;
const folder = openFolder();
afterAll(() => folder.remove());
const db = folder.path('reprice.db');
const NOW = Date.now();

const spanledger = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand([...words, '--db', db, '--json']);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return stdout;
};

/** Reads a copy of the file and its log, as a machine would find them after a crash. */
async function onCopy<T>(use: (rows: Rows) => Promise<T>): Promise<T> {
  const copy = `${db}.copy`;
  for (const end of ['', '-wal']) if (existsSync(db + end)) copyFileSync(db + end, copy + end);
  const connection = new Libsql(copy);
  try {
    return await use((sql) => connection.prepare(sql).raw(true).all([]) as SqlValue[][]);
  } finally {
    connection.close();
    for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
  }
}

const stateOf = (rows: Rows): Promise<[string, number]> =>
  Promise.resolve(rows('SELECT state, applied FROM repricings')).then(([row]) => row as [string, number]);

/** Starts the work by the command line and kills the server in the middle of it. */
async function killDuring(
  server: RunningServer,
  words: string[],
  until: (state: string, applied: number) => boolean,
) {
  const command = runCommand([...words, '--db', db, '--json']);
  const reader = new Libsql(db);
  reader.exec('PRAGMA busy_timeout = 2000');
  const read: Rows = (sql) => reader.prepare(sql).raw(true).all([]) as SqlValue[][];
  await eventually('the middle of the work', async () => until(...(await stateOf(read))), 60_000);
  await server.end('SIGKILL');
  reader.close();
  expect((await command).code).not.toBe(0);
}

test('kill -9 in the middle of a re-pricing, and of its undoing, leaves correct sums and resumable work', async () => {
  const { apiKey } = await initLedger(db, 'ada@example.com', 'correct horse battery');
  let server = await startServer(db);
  for (let i = 0; i < EVENTS; i += 100) {
    const lines = Array.from({ length: 100 }, (_, n) =>
      JSON.stringify({
        timestamp: new Date(NOW - (i + n) * 5_000).toISOString(),
        provider: n % 2 === 0 ? 'acme' : 'openai',
        model: n % 2 === 0 ? 'acme-1' : 'gpt-4o',
        input_tokens: i + n + 1,
        output_tokens: n,
      }),
    );
    const body = gzipSync(lines.join('\n'));
    const reply = await fetch(`${server.url}/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey },
      body,
    });
    expect(reply.status).toBe(202);
  }
  const before = await onCopy(costsOf);
  await spanledger('prices', 'set', '*/*', '--input', '7', '--output', '3');
  const { id, changes } = JSON.parse(await spanledger('reprice', 'plan', '--start', '2d')) as {
    id: string;
    changes: number;
  };
  expect(changes).toBe(EVENTS);

  await killDuring(server, ['reprice', 'apply', id, '--yes'], (_, applied) => applied > EVENTS / 5);
  await onCopy(async (rows) => {
    expect(await faultsOf(rows)).toEqual([]);
    const [state, applied] = await stateOf(rows);
    expect([state, applied < EVENTS]).toEqual(['applying', true]);
    expect(await rows("SELECT count(*) FROM events WHERE model = 'acme-1' AND cost_status = 1")).not.toEqual([
      [0],
    ]);
  });
  server = await startServer(db);
  await spanledger('jobs', 'run', 'repricing.run');
  await onCopy(async (rows) => {
    expect(await stateOf(rows)).toEqual(['applied', EVENTS]);
    expect(await faultsOf(rows)).toEqual([]);
    expect(await rows('SELECT count(*) FROM events WHERE cost_status = 1')).toEqual([[0]]);
  });

  await killDuring(
    server,
    ['reprice', 'undo', id, '--yes'],
    (state, applied) => state === 'undoing' && applied < (EVENTS * 4) / 5,
  );
  await onCopy(async (rows) => expect(await faultsOf(rows)).toEqual([]));
  server = await startServer(db);
  await spanledger('jobs', 'run', 'repricing.run');
  await onCopy(async (rows) => {
    expect(await stateOf(rows)).toEqual(['undone', 0]);
    expect(await faultsOf(rows)).toEqual([]);
  });
  expect(await onCopy(costsOf)).toBe(before);
  expect(await server.end('SIGTERM')).toBe(0);
}, 60_000);
