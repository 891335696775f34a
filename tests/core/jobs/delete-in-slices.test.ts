import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { deleteInSlices } from '../../../src/core/jobs/index.ts';
import type { Slice } from '../../../src/db/slice.ts';
import { unavailable } from '../../../src/errors.ts';
import { type JobFixture, openJobFixture } from './fixture.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const byTime: Slice = {
  table: 'events',
  key: ['ts', 'event_id'],
  prefix: 'project = ?',
  until: 'ts < ?',
};
const byFilter: Slice = { table: 'sessions', key: ['rowid'], where: 'expires_at <= ?' };

let fixture: JobFixture;
let signal: AbortSignal;
beforeEach(async () => {
  fixture = openJobFixture(NOW);
  signal = new AbortController().signal;
  await fixture.addOrganization('org', 'free');
});
afterEach(() => fixture.close());

describe('deleteInSlices', () => {
  test('deletes up to the bound in slices of at most 400 rows, and of no other project', async () => {
    const mine = await fixture.addProject('mine', 'org');
    const other = await fixture.addProject('other', 'org');
    const times = Array.from({ length: 3000 }, (_, i) => NOW - i * 1000);
    await fixture.record(mine, times);
    await fixture.record(other, times);
    const until = NOW - 500_000;
    const deleted = await deleteInSlices(byTime, { prefix: mine.no, until }, { ctx: fixture.ctx, signal });
    expect(deleted).toBe(2499);
    expect(await fixture.count('events', `project = ${mine.no}`)).toBe(501);
    expect(await fixture.count('events', `project = ${other.no}`)).toBe(3000);
    const slices = fixture.writes.filter(({ op }) => op === 'slice events').map(({ rows }) => rows ?? 0);
    expect(slices.length).toBeGreaterThanOrEqual(7);
    expect(Math.max(...slices)).toBeLessThanOrEqual(400);
  });

  test('scans events of the same millisecond by id', async () => {
    const scope = await fixture.addProject('same', 'org');
    await fixture.record(scope, Array(1500).fill(NOW - 1));
    const values = { prefix: scope.no, until: NOW };
    expect(await deleteInSlices(byTime, values, { ctx: fixture.ctx, signal })).toBe(1500);
    expect(await fixture.count('events')).toBe(0);
  });

  test('walks a whole table and deletes only what the filter names', async () => {
    await fixture.run("INSERT INTO users VALUES ('u', 'U', 'u@example.com', 1, NULL, 0, 0)");
    await fixture.run(
      `INSERT INTO sessions SELECT 's' || value, value, 't' || value, 0, 0, NULL, NULL, 'u' FROM generate_series(1, 1000)`,
    );
    expect(await deleteInSlices(byFilter, { where: 300 }, { ctx: fixture.ctx, signal })).toBe(300);
    expect(await fixture.count('sessions', 'expires_at <= 300')).toBe(0);
    expect(await fixture.count('sessions')).toBe(700);
  });

  test('lets the event loop turn between slices', async () => {
    const scope = await fixture.addProject('busy', 'org');
    await fixture.record(scope, Array(2000).fill(NOW - 1));
    let turns = 0;
    // Counts turns of the event loop.
    const timer = setInterval(() => turns++, 0);
    await deleteInSlices(byTime, { prefix: scope.no, until: NOW }, { ctx: fixture.ctx, signal });
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  test('waits while the writer is overloaded', async () => {
    const scope = await fixture.addProject('flooded', 'org');
    await fixture.record(scope, [NOW - 1]);
    let refusals = 2;
    fixture.beforeWrite = () => {
      if (refusals-- > 0) throw unavailable('The server is overloaded; try again');
    };
    const values = { prefix: scope.no, until: NOW };
    expect(await deleteInSlices(byTime, values, { ctx: fixture.ctx, signal })).toBe(1);
    expect(refusals).toBe(-1);
  });

  test('stops at the signal, after the current slice', async () => {
    const scope = await fixture.addProject('stopped', 'org');
    await fixture.record(scope, Array(1000).fill(NOW - 1));
    const abort = new AbortController();
    fixture.beforeWrite = () => abort.abort(new Error('enough'));
    const task = { ctx: fixture.ctx, signal: abort.signal };
    expect(deleteInSlices(byTime, { prefix: scope.no, until: NOW }, task)).rejects.toThrow('enough');
    expect(await fixture.count('events')).toBe(936);
  });
});
