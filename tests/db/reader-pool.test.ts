import { afterEach, expect, test } from 'bun:test';
import { getPriority } from 'node:os';
import { createReaderPool, type ReaderPool } from '../../src/db/reader-pool.ts';
import { AppError } from '../../src/errors.ts';

/**
 * Answers with its process id, to `later` after a moment, to `hang` never; fails `refuse`, and closes the line after
 * `leave` but lives on.
 */
const script = `process.on('message', ({ id, name }) => {
  if (id === undefined) return;
  const headers = { 'Retry-After': '7' };
  if (name === 'refuse')
    process.send({ id, failure: { status: 429, message: 'no more', code: 'quota_exceeded', headers } });
  else if (name === 'later') setTimeout(() => process.send({ id, json: String(process.pid) }), 100);
  else if (name !== 'hang') process.send({ id, json: String(process.pid) });
  if (name === 'leave') process.disconnect();
});
setTimeout(() => process.exit(), 5000);`;

let pool: ReaderPool;
const open = (size: number, patienceMs = 5_000): void => {
  const command = [process.execPath, '-e', script];
  pool = createReaderPool({ command, path: 'no file', tables: [], size, deadlineMs: 5_000, patienceMs });
};
afterEach(() => pool.close());

const outcomeOf = (read: Promise<string>): Promise<number> =>
  read.then(
    () => 200,
    (error: unknown) => (error instanceof AppError ? error.status : 500),
  );

test('a dead reader whose exit was not noticed yet fails no query', async () => {
  open(1);
  const gone = await pool.read('leave', [1], null);
  // The line's end reaches this process after the reply, and sends no event that a test can see.
  await Bun.sleep(50);
  const other = await pool.read('pid', [1], null);
  expect(other).not.toBe(gone);
});

test('a reader that is killed fails only its own query', async () => {
  open(1);
  const pid = Number(await pool.read('pid', [1], null));
  const reads = ['hang', 'pid'].map((name) => outcomeOf(pool.read(name, [1], null)));
  process.kill(pid, 'SIGKILL');
  expect(await Promise.all(reads)).toEqual([503, 200]);
});

test('a query that finds no reader is refused before its connection is cut', async () => {
  open(1, 50);
  const running = outcomeOf(pool.read('hang', [1], null));
  expect(await outcomeOf(pool.read('pid', [1], null))).toBe(503);
  pool.close();
  expect(await running).toBe(503);
});

test('a reader without queries ends, and the next query starts another', async () => {
  const command = [process.execPath, '-e', script];
  pool = createReaderPool({ command, path: 'no file', tables: [], size: 1, deadlineMs: 5_000, idleMs: 0 });
  const pid = Number(await pool.read('pid', [1], null));
  const isAlive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (isAlive()) await new Promise(setImmediate);
  expect(Number(await pool.read('pid', [1], null))).not.toBe(pid);
});

test('a large input is sent piece by piece, each after the reader took the one before', async () => {
  const slow = `let parts = 0;
process.on('message', ({ id, part }) => {
  if (id === undefined) return;
  if (part === undefined) process.send({ id, json: String(parts) });
  else if (++parts <= 3) process.send({ taken: id });
});`;
  const command = [process.execPath, '-e', slow];
  pool = createReaderPool({ command, path: 'no file', tables: [], size: 1, deadlineMs: 2_000 });
  const PART_BYTES = 262_144;
  /** Counts the pieces that are made of it. */
  let made = 0;
  class Counted extends Uint8Array<ArrayBuffer> {
    override subarray(start?: number, end?: number): Uint8Array<ArrayBuffer> {
      made++;
      return new Uint8Array(this.buffer, start, (end ?? this.length) - (start ?? 0));
    }
  }
  expect(await pool.read('count', [1], { csv: new Counted(new ArrayBuffer(PART_BYTES * 3)) })).toBe('3');
  // The reader takes nothing more, so that one further piece is all that waits.
  made = 0;
  expect(
    await outcomeOf(pool.read('count', [1], { csv: new Counted(new ArrayBuffer(PART_BYTES * 64)) })),
  ).toBe(503);
  expect(made).toBe(1);
});

test('queries that come together and are short share a process; one behind a long query gets another', async () => {
  open(4);
  const first = await pool.read('pid', [1], null);
  const together = await Promise.all([1, 2, 3].map((project) => pool.read('pid', [project], null)));
  expect(new Set([first, ...together]).size).toBe(1);
  const long = outcomeOf(pool.read('hang', [1], null));
  expect(await pool.read('pid', [2], null)).not.toBe(first);
  expect(pool.stats().processes).toBe(2);
  pool.close();
  expect(await long).toBe(503);
});

test('a query of a job waits for a busy reader, and queries of others go first', async () => {
  open(2);
  const first = await pool.read('pid', [1], null);
  const long = outcomeOf(pool.read('hang', [1], null));
  const order: string[] = [];
  const job = pool.read('pid', [2], null, 'last').then((pid) => [pid, order.push('job')] as const);
  const other = await pool.read('pid', [2], null);
  order.push('query');
  expect(other).not.toBe(first);
  // The one that was started for the query is idle.
  expect(await job).toEqual([other, 2]);
  pool.close();
  expect(await long).toBe(503);
});

test('what goes first is answered before queries that have waited longer', async () => {
  open(3);
  const first = await pool.read('pid', [1], null);
  const order: string[] = [];
  const note = (name: string) => (pid: string) => [order.push(name), pid];
  const reads = [
    pool.read('later', scopeOf('acme'), null).then(note('running')),
    pool.read('pid', scopeOf('acme'), null).then(note('query')),
    pool.read('pid', [1], null, 'first').then(note('sealing')),
  ];
  expect(await Promise.all(reads)).toEqual([
    [1, first],
    [3, first],
    [2, first],
  ]);
  expect(order).toEqual(['running', 'sealing', 'query']);
});

test('a process that took a query yields; reads that go first and follow each other have one that does not', async () => {
  open(3);
  const only = await pool.read('pid', [1], null, 'first');
  expect(getPriority(Number(only))).toBe(getPriority());
  expect(await pool.read('pid', scopeOf('acme'), null)).toBe(only);
  expect(getPriority(Number(only))).toBe(Math.min(19, getPriority() + 5));
  // The second one follows so soon that there is hardly time for them.
  const own = await pool.read('pid', [1], null, 'first');
  expect(own).not.toBe(only);
  expect(getPriority(Number(own))).toBe(getPriority());
  expect(await pool.read('pid', scopeOf('acme'), null)).toBe(only);
  expect(await pool.read('pid', [1], null, 'first')).toBe(own);
});

test('queries to a closed pool fail immediately', async () => {
  open(1);
  const reads = [pool.read('hang', [1], null), pool.read('hang', [1], null)].map(outcomeOf);
  pool.close();
  expect(await Promise.all(reads)).toEqual([503, 503]);
});

test('a reader that cannot start fails the query, not the pool', async () => {
  pool = createReaderPool({
    command: ['/no/such/program'],
    path: '',
    tables: [],
    size: 1,
    deadlineMs: 5_000,
  });
  expect(await outcomeOf(pool.read('pid', [1], null))).toBe(503);
  expect(await outcomeOf(pool.read('pid', [1], null))).toBe(503);
});

test('an error of a reader keeps its code and its headers', async () => {
  open(1);
  const error = await pool.read('refuse', [1], null).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ status: 429, code: 'quota_exceeded', headers: { 'Retry-After': '7' } });
});

const scopeOf = (organizationId: string) => ({ projects: [1], organizationId });

test("an organization's queries never take the last process", async () => {
  open(3);
  const hanging = Array.from({ length: 10 }, () => outcomeOf(pool.read('hang', scopeOf('acme'), null)));
  expect(await outcomeOf(pool.read('pid', scopeOf('globex'), null))).toBe(200);
  pool.close();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set([503]));
});

test('nor do queries over several of its projects, which leave a place for the server itself', async () => {
  open(3);
  const hanging = Array.from({ length: 10 }, (_, project) =>
    outcomeOf(pool.read('hang', { projects: [project], owner: 'acme' }, null)),
  );
  expect(await outcomeOf(pool.read('pid', [1], null, 'first'))).toBe(200);
  pool.close();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set([503]));
});

test("a query is delayed by about one of another organization's thousand, the rest of which are refused", async () => {
  open(1);
  const order: string[] = [];
  const read = (organization: string): Promise<number> =>
    outcomeOf(
      pool.read('pid', scopeOf(organization), null).then((pid) => {
        order.push(organization);
        return pid;
      }),
    );
  const thousand = Array.from({ length: 1_000 }, () => read('acme'));
  const other = read('globex');
  expect(await other).toBe(200);
  expect(order.indexOf('globex')).toBeLessThanOrEqual(2);
  const outcomes = await Promise.all(thousand);
  expect(outcomes.filter((status) => status === 503)).toHaveLength(799);
});
