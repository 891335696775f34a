import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import Libsql from 'libsql';
import type { Effect, EffectCall } from '../../src/db/effects.ts';
import { createGroupCommit, type WriteOp, type WriteReply } from '../../src/db/group-commit.ts';
import { badRequest } from '../../src/errors.ts';
import { openFolder } from '../helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());
let path: string;
let discarded: number;
let write: (n: number, ...calls: EffectCall[]) => Promise<WriteReply>;
let close: () => void;

/** Inserts a number and runs effects, which learn of it. */
const addOp: WriteOp<{ n: number; calls: EffectCall[] }, unknown[]> = {
  name: 'add',
  open(connection, { effects }) {
    const insert = connection.prepare('INSERT INTO numbers (n) VALUES (?)');
    return {
      apply({ n, calls }) {
        insert.run([n]);
        return effects.apply(calls, { n });
      },
    };
  },
};

/** Inserts the number times a factor; refuses factor 0 after that. */
const timesEffect: Effect<number, { n: number }, number> = {
  name: 'times',
  open(connection) {
    const insert = connection.prepare('INSERT INTO numbers (n) VALUES (?)');
    return {
      apply(factor, { n }) {
        insert.run([n * factor]);
        if (factor === 0) throw badRequest('no factor 0');
        return n * factor;
      },
      discard() {
        discarded++;
      },
    };
  },
};

beforeEach(() => {
  path = folder.path(`${Bun.randomUUIDv7()}.db`);
  const setUp = new Libsql(path);
  setUp.exec('CREATE TABLE numbers (n INTEGER UNIQUE)');
  setUp.close();
  discarded = 0;
  const waiting = new Map<number, (reply: WriteReply) => void>();
  const writes = { ops: [addOp as WriteOp], effects: [timesEffect as Effect] };
  const engine = createGroupCommit(path, writes, (replies) => {
    for (const reply of replies) waiting.get(reply.id)?.(reply);
  });
  close = () => engine.close();
  write = (n, ...calls) => {
    const { promise, resolve } = Promise.withResolvers<WriteReply>();
    waiting.set(n, resolve);
    engine.submit({ id: n, op: 'add', payload: { n, calls }, patienceMs: 5_000 });
    return promise;
  };
});
afterEach(() => close());

const times = (payload: number): EffectCall => ({ effect: 'times', payload });
const stored = (): number[] => {
  const connection = new Libsql(path);
  const rows = connection.prepare('SELECT n FROM numbers ORDER BY n').raw(true).all() as number[][];
  connection.close();
  return rows.map(([n]) => n ?? -1);
};

test('effects commit with their write, in their order, and say what they did', async () => {
  expect(await write(2, times(10), times(100))).toMatchObject({ ok: true, result: [20, 200] });
  expect(stored()).toEqual([2, 20, 200]);
});

test('an effect that throws rolls back its write and earlier effects, and no other write', async () => {
  const replies = await Promise.all([write(1), write(2, times(10), times(0)), write(3, times(5))]);
  expect(replies[1]).toMatchObject({ ok: false, failure: { status: 400, message: 'no factor 0' } });
  expect(replies.map(({ ok }) => ok)).toEqual([true, false, true]);
  expect(stored()).toEqual([1, 3, 15]);
  expect(discarded).toBe(1);
});

test('an effect that no module lists refuses the write', async () => {
  expect(await write(7, { effect: 'unheard.of', payload: 1 })).toMatchObject({ ok: false });
  expect(stored()).toEqual([]);
});
