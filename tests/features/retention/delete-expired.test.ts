import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readUserDays } from '../../../src/core/events/stores/sqlite/users/get-user.ts';
import { runJob, stopJobs } from '../../../src/core/jobs/index.ts';
import type { SqlResult } from '../../../src/db/connection.ts';
import { openReadSession } from '../../../src/db/reader.ts';
import { retentionModule } from '../../../src/features/retention/index.ts';
import { tables } from '../../../src/features.ts';
import type { Job } from '../../../src/module.ts';
import { type JobFixture, openJobFixture } from '../../core/jobs/fixture.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 15, 3, 10);
const [job] = retentionModule.jobs as [Job];

let fixture: JobFixture;
beforeEach(() => {
  fixture = openJobFixture(NOW, [retentionModule]);
});
afterEach(() => fixture.close());

const timesLeft = async (no: number): Promise<unknown[]> =>
  (await fixture.run('SELECT ts FROM events WHERE project = ? ORDER BY ts', [no])).rows.flat();
const rollups = async (): Promise<unknown> => {
  const sums = (table: string): Promise<SqlResult> =>
    fixture.run(`SELECT *, hex(latency_sketch) FROM ${table} ORDER BY 1, 2, 3`);
  const results = await Promise.all([sums('rollup_hours'), sums('rollup_days')]);
  return results.map(({ rows }) => rows.map(String));
};

describe('retention.delete_expired', () => {
  test.each([
    ['free', undefined, 7],
    ['pro', undefined, 30],
    ['scale', undefined, 365],
    ['free', 90, 90],
    ['scale', 1, 1],
  ] as const)('on %s with %p days set keeps %d days, to the millisecond', async (plan, days, kept) => {
    await fixture.addOrganization('org', plan, days);
    const scope = await fixture.addProject('p', 'org');
    const edge = NOW - kept * DAY;
    await fixture.record(scope, [edge - DAY, edge - 1, edge, edge + 1, NOW]);
    const run = await runJob(fixture.ctx, job, 'schedule');
    expect(run.status).toBe('ok');
    expect(run.result).toMatchObject({ projects: 1, deleted: { events: 2 } });
    expect(await timesLeft(scope.no)).toEqual([edge, edge + 1, NOW]);
  });

  test.each([
    ['2028-03-07T00:00:00Z', '2028-02-29T00:00:00.000Z'], // over a leap day
    ['2028-03-06T12:00:00Z', '2028-02-28T12:00:00.000Z'],
    ['2027-03-07T00:00:00Z', '2027-02-28T00:00:00.000Z'], // and without one
    ['2026-04-02T00:00:00Z', '2026-03-26T00:00:00.000Z'], // over the start of summer time
    ['2027-01-01T00:00:00Z', '2026-12-25T00:00:00.000Z'],
  ])('at %s a free organization keeps what was from %s on', async (now, edge) => {
    fixture.clock = Date.parse(now);
    await fixture.addOrganization('org', 'free');
    const scope = await fixture.addProject('p', 'org');
    await fixture.record(scope, [Date.parse(edge) - 1, Date.parse(edge)]);
    await runJob(fixture.ctx, job, 'schedule');
    expect(await timesLeft(scope.no)).toEqual([Date.parse(edge)]);
  });

  test('each organization by its own plan; deleted projects are left to the purge', async () => {
    await fixture.addOrganization('free', 'free');
    await fixture.addOrganization('pro', 'pro');
    const free = await fixture.addProject('f', 'free');
    const pro = await fixture.addProject('p', 'pro');
    const gone = await fixture.addProject('g', 'free');
    for (const scope of [free, pro, gone]) await fixture.record(scope, [NOW - 8 * DAY]);
    await fixture.run('UPDATE projects SET deleted_at = ? WHERE no = ?', [NOW, gone.no]);
    await runJob(fixture.ctx, job, 'manual');
    expect(await timesLeft(free.no)).toEqual([]);
    expect(await timesLeft(pro.no)).toHaveLength(1);
    expect(await timesLeft(gone.no)).toHaveLength(1);
  });

  test('leaves roll-ups and the counted month as they are', async () => {
    await fixture.addOrganization('org', 'free');
    const scope = await fixture.addProject('p', 'org');
    await fixture.record(
      scope,
      Array.from({ length: 500 }, (_, i) => NOW - i * 3_600_000),
    );
    const before = await rollups();
    await runJob(fixture.ctx, job, 'schedule');
    expect(await fixture.count('events')).toBe(169);
    expect(await rollups()).toEqual(before);
    expect((await fixture.run('SELECT events FROM usage_months')).rows).toEqual([[500]]);
  });

  test('keeps the sums of users, including those of the newest events', async () => {
    await fixture.addOrganization('org', 'free');
    const scope = await fixture.addProject('p', 'org');
    const times = Array.from({ length: 40 }, (_, i) => NOW - i * DAY);
    await fixture.record(scope, times, { user_id: 'ada', session_id: 'chat' });
    const session = openReadSession(fixture.ctx.db.path, tables);
    const figures = (): unknown => readUserDays(session.open([scope.no]), 'ada');
    const before = figures();
    for (let night = 0; night < 2; night++) await runJob(fixture.ctx, job, 'schedule');
    expect(await fixture.count('events')).toBe(8);
    expect(figures()).toEqual(before);
    await fixture.record(scope, [NOW - 1], { user_id: 'ada' });
    expect(figures()).toMatchObject(
      Array.from({ length: 40 }, (_, i) => ({ figures: { requests: i < 39 ? 1 : 2 } })),
    );
    session.close();
  });

  test('forgets first receipts after 30 days', async () => {
    await fixture.addOrganization('org', 'scale');
    const scope = await fixture.addProject('p', 'org');
    for (const ts of [NOW - 30 * DAY - 1, NOW - 30 * DAY])
      await fixture.record(scope, [ts], { dated: false });
    const run = await runJob(fixture.ctx, job, 'schedule');
    expect(run.result).toEqual({ projects: 1, deleted: { events: 0, undated_events: 1 } });
    expect((await fixture.run('SELECT ts FROM undated_events')).rows).toEqual([[NOW - 30 * DAY]]);
  });

  test('a run that is stopped anywhere leaves whole slices, and the next one finishes', async () => {
    await fixture.addOrganization('org', 'free');
    const scope = await fixture.addProject('p', 'org');
    const old = Array.from({ length: 2000 }, (_, i) => NOW - 8 * DAY - i);
    await fixture.record(scope, [...old, NOW]);
    const before = await rollups();
    let slices = 0;
    fixture.beforeWrite = (op) => {
      if (op.startsWith('slice ') && ++slices === 4) void stopJobs(fixture.ctx);
    };
    const stopped = await runJob(fixture.ctx, job, 'schedule');
    expect(stopped.status).toBe('interrupted');
    const left = await fixture.count('events');
    expect(left).toBeGreaterThan(1);
    expect(left).toBeLessThan(2001);

    fixture.beforeWrite = () => {};
    const signal = new AbortController().signal;
    expect(await job.run(fixture.ctx, signal)).toMatchObject({ deleted: { events: left - 1 } });
    expect(await timesLeft(scope.no)).toEqual([NOW]);
    expect(await rollups()).toEqual(before);
    expect(await job.run(fixture.ctx, signal)).toMatchObject({ deleted: { events: 0 } });
  });

  test('is done in slices of at most 400 rows while others write', async () => {
    await fixture.addOrganization('org', 'free');
    const scope = await fixture.addProject('p', 'org');
    await fixture.record(scope, Array(3000).fill(NOW - 8 * DAY));
    let recorded = 0;
    let done = false;
    const running = runJob(fixture.ctx, job, 'schedule').finally(() => {
      done = true;
    });
    while (!done) {
      await fixture.record(scope, [NOW]);
      recorded++;
    }
    expect((await running).status).toBe('ok');
    expect(recorded).toBeGreaterThan(5);
    expect(await timesLeft(scope.no)).toEqual(Array(recorded).fill(NOW));
    const rows = fixture.writes.filter(({ op }) => op === 'slice events').map((write) => write.rows ?? 0);
    expect(Math.max(...rows)).toBeLessThanOrEqual(400);
  });
});
