import { afterEach, beforeEach, expect, test } from 'bun:test';
import { closeSync, mkdirSync, openSync, renameSync, rmdirSync, writeSync } from 'node:fs';
import Libsql from 'libsql';
import {
  createGroupCommit,
  type GroupCommit,
  type WriteOp,
  type WriteReply,
} from '../../src/db/group-commit.ts';
import { badRequest } from '../../src/errors.ts';
import { eventually } from '../helpers/eventually.ts';
import { openFolder } from '../helpers/folder.ts';

const folder = openFolder();
let path: string;
let engine: GroupCommit;
let replies: WriteReply[];
let gathered: number[];
let failFlush: boolean;

/** Inserts a number; refuses 13 after inserting it, breaks on 14, and sums up what is kept in `flush`. */
const addOp: WriteOp<number, string> = {
  name: 'add',
  open(connection) {
    const insert = connection.prepare('INSERT INTO numbers (n) VALUES (?)');
    let sum = 0;
    return {
      apply(n) {
        insert.run([n]);
        if (n === 13) throw badRequest('no 13');
        if (n === 14) throw new Error('broken');
        sum += n;
        return `added ${n}`;
      },
      flush() {
        if (failFlush) throw new Error('flush failed');
        if (sum > 0) insert.run([1000 + sum]);
        gathered.push(sum);
        sum = 0;
      },
      discard() {
        sum = 0;
      },
    };
  },
};

beforeEach(() => {
  path = folder.path(`${Bun.randomUUIDv7()}.db`);
  const setUp = new Libsql(path);
  setUp.exec('CREATE TABLE numbers (n INTEGER UNIQUE)');
  setUp.close();
  replies = [];
  gathered = [];
  failFlush = false;
  engine = createGroupCommit(path, { ops: [addOp as WriteOp] }, (some) => replies.push(...some));
});
afterEach(() => engine.close());

const submitFor = (patienceMs: number, ...numbers: number[]): void => {
  for (const n of numbers) engine.submit({ id: n, op: 'add', payload: n, patienceMs });
};
const submit = (...numbers: number[]): void => submitFor(300, ...numbers);
const settled = async (count: number): Promise<void> => {
  await eventually(`${count} replies`, () => replies.length >= count);
  expect(replies).toHaveLength(count);
};
const stored = (): number[] => {
  const connection = new Libsql(path);
  const rows = connection.prepare('SELECT n FROM numbers ORDER BY n').raw(true).all() as number[][];
  connection.close();
  return rows.map(([n]) => n ?? 0);
};

test('requests that arrive together share one commit and one flush', async () => {
  submit(1, 2, 3);
  await settled(3);
  expect(replies.map((reply) => reply.ok && reply.result)).toEqual(['added 1', 'added 2', 'added 3']);
  expect(gathered).toEqual([6]);
  expect(stored()).toEqual([1, 2, 3, 1006]);
});

test('requests that arrive during a transaction join it', async () => {
  submit(1);
  setImmediate(() => submit(2));
  await settled(2);
  expect(gathered).toEqual([3]);
  expect(stored()).toEqual([1, 2, 1003]);
});

test('a group closes after a time limit, so that requests do not wait for the end of a flood', async () => {
  // Below zero nothing is summed up, so that no sum is like another.
  let next = 0;
  const flood = setInterval(() => submitFor(60_000, --next), 0);
  await eventually('a second group', () => gathered.length > 1);
  clearInterval(flood);
  await settled(-next);
  expect(replies.every(({ ok }) => ok)).toBe(true);
  expect(gathered.length).toBeGreaterThan(1);
  expect(stored()).toHaveLength(-next);
});

test('a refused or failed request does not affect the others', async () => {
  submit(1, 13, 14, 2, 1);
  await settled(5);
  expect(replies.map((reply) => reply.ok)).toEqual([true, false, false, true, false]);
  expect(replies[1]).toMatchObject({ failure: { status: 400, message: 'no 13' } });
  expect(replies[2]).toMatchObject({ failure: { status: null, message: 'broken' } });
  expect(stored()).toEqual([1, 2, 1003]);
});

test('if the commit fails, nothing of the group is stored or acknowledged', async () => {
  failFlush = true;
  submit(1, 2);
  await settled(2);
  expect(replies.every((reply) => !reply.ok)).toBe(true);
  expect(stored()).toEqual([]);
  failFlush = false;
  submit(3);
  await settled(3);
  expect(stored()).toEqual([3, 1003]);
});

test('while another process holds the lock requests wait, then are refused with 503; the first after it succeeds', async () => {
  const other = new Libsql(path);
  for (let round = 1; round <= 3; round++) {
    other.exec('BEGIN IMMEDIATE');
    submit(round);
    await settled(2 * round - 1);
    expect(replies.at(-1)).toMatchObject({
      ok: false,
      failure: { status: 503, headers: { 'Retry-After': '1' } },
    });
    submit(100 + round);
    // The lock is held for some attempts, which send no event.
    await Bun.sleep(60);
    other.exec('COMMIT');
    await settled(2 * round);
    expect(replies.at(-1)).toMatchObject({ ok: true });
  }
  other.close();
});

test('after a hundred lock conflicts, each write succeeds exactly once', async () => {
  const other = new Libsql(path);
  for (let round = 1; round <= 100; round++) {
    other.exec('BEGIN IMMEDIATE');
    submit(1000 + round);
    // The lock is held for an attempt.
    await Bun.sleep(5);
    expect(replies).toHaveLength(round - 1);
    other.exec('COMMIT');
    await settled(round);
    expect(replies.at(-1)).toMatchObject({ ok: true });
  }
  other.close();
  expect(stored().filter((n) => n < 2000)).toEqual(Array.from({ length: 100 }, (_, i) => 1001 + i));
}, 20_000);

test('no request is lost while the locked file cannot be opened', async () => {
  const other = new Libsql(path);
  other.exec('BEGIN IMMEDIATE');
  submitFor(60_000, 1);
  // Attempts at the locked file, and then at the missing one.
  await Bun.sleep(40);
  renameSync(path, `${path}.away`);
  mkdirSync(path);
  await Bun.sleep(80);
  rmdirSync(path);
  renameSync(`${path}.away`, path);
  other.exec('COMMIT');
  other.close();
  await settled(1);
  expect(replies).toMatchObject([{ ok: true }]);
  expect(stored()).toEqual([1, 1001]);
});

test('closing commits the submitted requests', () => {
  submit(1, 2, 3);
  engine.close();
  expect(replies).toHaveLength(3);
  expect(stored()).toEqual([1, 2, 3, 1006]);
});

test('a damaged page is reported at each try, also after reopening, and other tables take writes', async () => {
  const setUp = new Libsql(path);
  setUp.exec('CREATE TABLE broken (n INTEGER); INSERT INTO broken VALUES (1)');
  const numberOf = (sql: string): number => (setUp.prepare(sql).raw(true).all() as number[][])[0]?.[0] ?? 0;
  const page = numberOf("SELECT rootpage FROM sqlite_schema WHERE name = 'broken'");
  const size = numberOf('PRAGMA page_size');
  setUp.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  setUp.close();
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(size).fill(7), 0, size, (page - 1) * size);
  closeSync(file);
  let openings = 0;
  const breakOp: WriteOp<null, number> = {
    name: 'break',
    open(connection) {
      openings++;
      return { apply: () => connection.prepare('INSERT INTO broken VALUES (2)').run().changes };
    },
  };
  const ops = [addOp as WriteOp, breakOp as WriteOp];
  const damaged = createGroupCommit(path, { ops }, (some) => replies.push(...some));
  for (const id of [1, 2, 3]) {
    damaged.submit({ id, op: 'break', payload: null, patienceMs: 5_000 });
    await settled(2 * id - 1);
    damaged.submit({ id: 10 + id, op: 'add', payload: id, patienceMs: 5_000 });
    await settled(2 * id);
  }
  damaged.close();
  const outcomes = new Map(
    replies.map((reply) => [reply.id, reply.ok || ('code' in reply.failure && reply.failure.code)]),
  );
  for (const id of [1, 2, 3]) {
    expect(outcomes.get(id)).toBe('SQLITE_CORRUPT');
    expect(outcomes.get(10 + id)).toBe(true);
  }
  // Not at each failure, because opening takes time.
  expect(openings).toBe(2);
  expect(stored()).toContain(3);
});
