import { expect, test } from 'bun:test';
import { createFairGate, type FairGate } from '../../src/lib/fair-gate.ts';

const open = (): FairGate =>
  createFairGate({
    running: { total: 3, each: 2 },
    waiting: { total: 10, each: 4 },
    refuse: (seconds, by) => new Error(`${by} ${seconds}`),
  });
const settled = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

test('an owner gets its own places and leaves the others free', async () => {
  const gate = open();
  const started: string[] = [];
  const finish: (() => void)[] = [];
  const work = (name: string) => (): Promise<void> => {
    started.push(name);
    return new Promise((resolve) => finish.push(resolve));
  };
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => gate.run('a', work(name)));
  await settled();
  expect(started).toEqual(['a1', 'a2']);
  all.push(gate.run('b', work('b1')), gate.run('b', work('b2')));
  await settled();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  finish[0]?.();
  await settled();
  expect(started.slice(3)).toHaveLength(1);
  while (started.length < 6 || finish.length > 0) {
    finish.shift()?.();
    await settled();
  }
  await Promise.all(all);
  expect(started.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
});

test('a full queue of one owner is no reason to refuse another', async () => {
  const gate = open();
  const places = await Promise.all([gate.enter('a'), gate.enter('a')]);
  const waiting = Array.from({ length: 4 }, () => gate.enter('a'));
  await expect(gate.enter('a')).rejects.toThrow('owner 1');
  const other = await gate.enter('b');
  for (const leave of [...places, other]) leave();
  for (const one of waiting) (await one)();
});

test('a refusal says how long the work ahead takes', async () => {
  const gate = open();
  const slow = await gate.enter('a');
  await Bun.sleep(1_100);
  slow();
  await Promise.all([gate.enter('a'), gate.enter('a')]);
  for (let i = 0; i < 4; i++) void gate.enter('a');
  const error = await gate.enter('a').catch(({ message }: Error) => message);
  expect(Number(String(error).split(' ')[1])).toBeGreaterThanOrEqual(4);
});

test('a place is freed once, failed work frees it, and who gave up waiting does not get one', async () => {
  const gate = open();
  const leave = await gate.enter('a');
  leave();
  leave();
  await expect(gate.run('a', () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  const places = await Promise.all([gate.enter('a'), gate.enter('a')]);
  const control = new AbortController();
  const gone = gate.enter('a', control.signal);
  const next = gate.enter('a');
  control.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  for (const one of places) one();
  const third = await next;
  await gate.enter('a');
  third();
});
