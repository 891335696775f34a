import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eventsOf } from '../../../src/core/events/index.ts';
import { runJob, stopJobs } from '../../../src/core/jobs/index.ts';
import { ofProject } from '../../../src/core/tenancy/index.ts';
import type { SqlResult } from '../../../src/db/connection.ts';
import { retentionModule } from '../../../src/features/retention/index.ts';
import type { Job } from '../../../src/module.ts';
import { type JobFixture, openJobFixture } from '../../core/jobs/fixture.ts';
import { storageFaults } from '../../helpers/stored-events.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 15, 3, 10);
const [job] = retentionModule.jobs as [Job];

let fixture: JobFixture;
beforeEach(() => {
  fixture = openJobFixture(NOW, [retentionModule]);
});
afterEach(() => fixture.close());

/** The sums of sealed events. */
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
    expect(fixture.timesOf(scope)).toEqual([edge, edge + 1, NOW]);
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
    expect(fixture.timesOf(scope)).toEqual([Date.parse(edge)]);
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
    expect(fixture.timesOf(free)).toEqual([]);
    expect(fixture.timesOf(pro)).toHaveLength(1);
    expect(fixture.timesOf(gone)).toHaveLength(1);
  });

  test('leaves roll-ups and the counted month as they are', async () => {
    await fixture.addOrganization('org', 'free');
    const scope = await fixture.addProject('p', 'org');
    await fixture.record(
      scope,
      Array.from({ length: 500 }, (_, i) => NOW - i * 3_600_000),
    );
    await fixture.seal(scope);
    const before = await rollups();
    await runJob(fixture.ctx, job, 'schedule');
    expect(fixture.timesOf(scope)).toHaveLength(169);
    expect(await rollups()).toEqual(before);
    expect((await fixture.run('SELECT events FROM usage_months')).rows).toEqual([[500]]);
  });

  test('keeps the sums of users, including those of the newest events', async () => {
    await fixture.addOrganization('org', 'free');
    const scope = await fixture.addProject('p', 'org');
    const times = Array.from({ length: 40 }, (_, i) => NOW - i * DAY);
    await fixture.record(scope, times, { user_id: 'ada', session_id: 'chat' });
    const window = { from: 0, to: 8.64e15 };
    const figures = () => eventsOf(fixture.ctx).user(ofProject(scope), { userId: 'ada', window });
    const before = await figures();
    expect(before?.days).toHaveLength(40);
    for (let night = 0; night < 2; night++) await runJob(fixture.ctx, job, 'schedule');
    expect(fixture.timesOf(scope)).toHaveLength(8);
    expect(await figures()).toEqual(before);
    await fixture.record(scope, [NOW - 1], { user_id: 'ada' });
    expect((await figures())?.days).toMatchObject(
      Array.from({ length: 40 }, (_, i) => ({ figures: { requests: i < 39 ? 1 : 2 } })),
    );
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
    // Twenty days, each a segment, the last of which is cut.
    const old = Array.from({ length: 2_000 }, (_, i) => NOW - 7 * DAY - 1 - i * 864_000);
    await fixture.record(scope, [...old, NOW - 7 * DAY, NOW]);
    await fixture.seal(scope);
    const before = await rollups();
    const stopAt = (write: number, stop: () => void): void => {
      let writes = 0;
      fixture.beforeWrite = (op) => {
        if (op.startsWith('events.') && ++writes === write) stop();
      };
    };
    const counts = [fixture.timesOf(scope).length];
    for (const write of [3, 6]) {
      const abort = new AbortController();
      const stopped = new Error('stopped by the test');
      stopAt(write, () => abort.abort(stopped));
      await expect(job.run(fixture.ctx, abort.signal)).rejects.toBe(stopped);
      counts.push(fixture.timesOf(scope).length);
    }
    stopAt(4, () => void stopJobs(fixture.ctx));
    expect((await runJob(fixture.ctx, job, 'schedule')).status).toBe('interrupted');
    counts.push(fixture.timesOf(scope).length);
    // Each run deleted some whole days.
    expect(counts).toEqual(counts.toSorted((x, y) => y - x));
    expect(new Set(counts).size).toBe(4);
    expect(counts.at(-1)).toBeGreaterThan(2);

    fixture.beforeWrite = () => {};
    const left = fixture.timesOf(scope).length;
    const signal = new AbortController().signal;
    expect(await job.run(fixture.ctx, signal)).toMatchObject({ deleted: { events: left - 2 } });
    expect(fixture.timesOf(scope)).toEqual([NOW - 7 * DAY, NOW]);
    expect(await rollups()).toEqual(before);
    expect(storageFaults(fixture.ctx.db.path)).toEqual([]);
    expect(await job.run(fixture.ctx, signal)).toMatchObject({ deleted: { events: 0 } });
  });

  test('is done a segment at a time while others write', async () => {
    await fixture.addOrganization('org', 'free');
    const scope = await fixture.addProject('p', 'org');
    await fixture.record(
      scope,
      Array.from({ length: 3_000 }, (_, i) => NOW - 8 * DAY - (i % 15) * DAY),
    );
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
    expect(fixture.timesOf(scope)).toEqual(Array(recorded).fill(NOW));
    const writes = fixture.writes.map(({ op }) => op);
    expect(writes.filter((op) => op === 'events.drop_segment')).toHaveLength(15);
    const [first, last] = [writes.indexOf('events.drop_segment'), writes.lastIndexOf('events.drop_segment')];
    expect(writes.slice(first, last)).toContain('events.record');
  });
});
