import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { deleteInSlices } from '../../../src/core/jobs/index.ts';
import type { Slice } from '../../../src/db/slice.ts';
import { unavailable } from '../../../src/errors.ts';
import { type JobFixture, openJobFixture } from './fixture.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const [MINE, OTHER] = [1, 2];
const byTime: Slice = {
  table: 'moments',
  key: ['ts', 'id'],
  prefix: 'project = ?',
  until: 'ts < ?',
};
const byFilter: Slice = { table: 'sessions', key: ['rowid'], where: 'expires_at <= ?' };

let fixture: JobFixture;
let signal: AbortSignal;
beforeEach(async () => {
  fixture = openJobFixture(NOW);
  signal = new AbortController().signal;
  await fixture.run(
    'CREATE TABLE moments (project INTEGER, ts INTEGER, id BLOB, PRIMARY KEY (project, ts, id)) WITHOUT ROWID',
  );
});
afterEach(() => fixture.close());

/** Adds rows of a project, each a millisecond before the one before, or all at one. */
const fill = (project: number, rows: number, apart: 0 | 1 = 0): Promise<unknown> =>
  fixture.run('INSERT INTO moments SELECT ?, ? - value * ?, randomblob(16) FROM generate_series(0, ?)', [
    project,
    NOW - 1,
    apart,
    rows - 1,
  ]);

describe('deleteInSlices', () => {
  test('deletes up to the bound in slices of at most 400 rows, and of no other project', async () => {
    for (const project of [MINE, OTHER]) await fill(project, 3000, 1);
    const until = NOW - 501;
    const deleted = await deleteInSlices(byTime, { prefix: MINE, until }, { ctx: fixture.ctx, signal });
    expect(deleted).toBe(2499);
    expect(await fixture.count('moments', `project = ${MINE}`)).toBe(501);
    expect(await fixture.count('moments', `project = ${OTHER}`)).toBe(3000);
    const slices = fixture.writes.filter(({ op }) => op === 'slice moments').map(({ rows }) => rows ?? 0);
    expect(slices.length).toBeGreaterThanOrEqual(7);
    expect(Math.max(...slices)).toBeLessThanOrEqual(400);
  });

  test('scans rows of the same millisecond by id', async () => {
    await fill(MINE, 1500);
    const values = { prefix: MINE, until: NOW };
    expect(await deleteInSlices(byTime, values, { ctx: fixture.ctx, signal })).toBe(1500);
    expect(await fixture.count('moments')).toBe(0);
  });

  test('walks a whole table and deletes only what the filter names', async () => {
    await fixture.run(
      "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES ('u', 'U', 'u@example.com', 1, 0, 0)",
    );
    await fixture.run(
      `INSERT INTO sessions (id, expires_at, token, created_at, updated_at, user_id) SELECT 's' || value, value, 't' || value, 0, 0, 'u' FROM generate_series(1, 1000)`,
    );
    expect(await deleteInSlices(byFilter, { where: 300 }, { ctx: fixture.ctx, signal })).toBe(300);
    expect(await fixture.count('sessions', 'expires_at <= 300')).toBe(0);
    expect(await fixture.count('sessions')).toBe(700);
  });

  test('lets the event loop turn between slices', async () => {
    await fill(MINE, 2000);
    let turns = 0;
    // Counts turns of the event loop.
    const timer = setInterval(() => turns++, 0);
    await deleteInSlices(byTime, { prefix: MINE, until: NOW }, { ctx: fixture.ctx, signal });
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  test('waits while the writer is overloaded', async () => {
    await fill(MINE, 1);
    let refusals = 2;
    fixture.beforeWrite = () => {
      if (refusals-- > 0) throw unavailable('The server is overloaded; try again');
    };
    const values = { prefix: MINE, until: NOW };
    expect(await deleteInSlices(byTime, values, { ctx: fixture.ctx, signal })).toBe(1);
    expect(refusals).toBe(-1);
  });

  test('stops at the signal, after the current slice', async () => {
    await fill(MINE, 1000);
    const abort = new AbortController();
    fixture.beforeWrite = () => abort.abort(new Error('enough'));
    const task = { ctx: fixture.ctx, signal: abort.signal };
    await expect(deleteInSlices(byTime, { prefix: MINE, until: NOW }, task)).rejects.toThrow('enough');
    expect(await fixture.count('moments')).toBe(936);
  });
});
