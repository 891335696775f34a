import { afterAll, expect, test } from 'bun:test';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { SqlValue } from '../src/db/connection.ts';
import { DAY_MS } from '../src/lib/time.ts';
import { costsIn, faultsOf } from './features/repricing/books.ts';
import { openFolder } from './helpers/folder.ts';
import { initLedger, type RunningServer, runCommand, runJob, startServer } from './helpers/server.ts';
import { queryFile, storedEvents } from './helpers/stored-events.ts';

// A server is killed while it re-prices and while it takes that back: the books are right each time, and
// what was begun is finished.
const EVENTS = 5_000;
/** A segment has the events of one day and is one step of the work, so they spread over 30 days. */
const STEP = (30 * DAY_MS) / EVENTS;
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
function onCopy<T>(use: (path: string) => T): T {
  const copy = `${db}.copy`;
  for (const end of ['', '-wal']) if (existsSync(db + end)) copyFileSync(db + end, copy + end);
  try {
    return use(copy);
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
  }
}

const STATE = 'SELECT state, applied FROM repricings';
const unpricedIn = (path: string): number =>
  storedEvents(path).filter(({ costStatus }) => costStatus === 'unpriced').length;
const stateOf = (path: string): SqlValue[] | undefined => queryFile(path, STATE)[0];

/** Starts the work by the command line and kills the server when its row is so: see until-rows.ts. */
async function killDuring(server: RunningServer, words: string[], when: string): Promise<void> {
  const sql = `SELECT 1 FROM repricings WHERE ${when}`;
  const look = Bun.spawn([
    process.execPath,
    Bun.fileURLToPath(new URL('./helpers/until-rows.ts', import.meta.url)),
    db,
    sql,
  ]);
  const command = runCommand([...words, '--db', db, '--json']);
  expect(await look.exited).toBe(0);
  await server.end('SIGKILL');
  expect((await command).code).not.toBe(0);
}

test('kill -9 in the middle of a re-pricing, and of its undoing, leaves correct sums and resumable work', async () => {
  const { apiKey } = await initLedger(db, 'ada@example.com', 'correct horse battery');
  let server = await startServer(db);
  for (let i = 0; i < EVENTS; i += 100) {
    const lines = Array.from({ length: 100 }, (_, n) =>
      JSON.stringify({
        timestamp: new Date(NOW - (i + n) * STEP).toISOString(),
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
  const before = onCopy((path) => costsIn(storedEvents(path)));
  await spanledger('prices', 'set', '*/*', '--input', '7', '--output', '3');
  const { id, changes } = JSON.parse(await spanledger('reprice', 'plan', '--start', '31d')) as {
    id: string;
    changes: number;
  };
  expect(changes).toBe(EVENTS);

  await killDuring(server, ['reprice', 'apply', id, '--yes'], `applied > ${EVENTS / 5}`);
  onCopy((path) => {
    expect(faultsOf(path)).toEqual([]);
    const [state, applied] = stateOf(path) ?? [];
    expect([state, Number(applied) < EVENTS]).toEqual(['applying', true]);
    expect(unpricedIn(path)).toBeGreaterThan(0);
  });
  server = await startServer(db);
  expect((await runJob(db, 'repricing.run')).code).toBe(0);
  onCopy((path) => {
    expect(stateOf(path)).toEqual(['applied', EVENTS]);
    expect(faultsOf(path)).toEqual([]);
    expect(unpricedIn(path)).toBe(0);
  });

  const when = `state = 'undoing' AND applied < ${(EVENTS * 4) / 5}`;
  await killDuring(server, ['reprice', 'undo', id, '--yes'], when);
  onCopy((path) => expect([stateOf(path)?.[0], faultsOf(path)]).toEqual(['undoing', []]));
  server = await startServer(db);
  expect((await runJob(db, 'repricing.run')).code).toBe(0);
  onCopy((path) => {
    expect(stateOf(path)).toEqual(['undone', 0]);
    expect(faultsOf(path)).toEqual([]);
  });
  expect(onCopy((path) => costsIn(storedEvents(path)))).toBe(before);
  expect(await server.end('SIGTERM')).toBe(0);
}, 60_000);
