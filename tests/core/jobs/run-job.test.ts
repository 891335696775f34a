import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { closeInterrupted, listJobs, runJob, stopJobs } from '../../../src/core/jobs/index.ts';
import type { Job } from '../../../src/module.ts';
import { type JobFixture, openJobFixture } from './fixture.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
let fixture: JobFixture;
beforeEach(() => {
  fixture = openJobFixture(NOW);
});
afterEach(() => fixture.close());

const job = (run: Job['run'], name = 'test.work'): Job => ({
  name,
  summary: 'Work',
  schedule: '10 3 * * *',
  run,
});
const waiting = (name?: string): Job =>
  job((_ctx, signal) => {
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  }, name);
const statuses = async (): Promise<unknown[]> =>
  (await fixture.run('SELECT status FROM job_runs ORDER BY rowid')).rows.flat();

describe('runJob', () => {
  test('records what a job did', async () => {
    const run = await runJob(
      fixture.ctx,
      job(async () => ({ rows: 3 })),
      'manual',
    );
    expect(run).toMatchObject({
      job: 'test.work',
      trigger: 'manual',
      startedAt: '2026-01-31T12:00:00.000Z',
      status: 'ok',
      result: { rows: 3 },
    });
    expect(run.finishedAt?.slice(0, 20)).toBe('2026-01-31T12:00:00.');
    expect(await statuses()).toEqual(['ok']);
  });

  test('records a failure in the row instead of throwing', async () => {
    const run = await runJob(
      fixture.ctx,
      job(() => Promise.reject(new Error('no disk'))),
      'schedule',
    );
    expect(run).toMatchObject({ status: 'failed', trigger: 'schedule', result: { error: 'no disk' } });
    expect(await statuses()).toEqual(['failed']);
  });

  test('refuses to overlap itself, however it was started, and leaves no row of the refusal', async () => {
    const first = runJob(fixture.ctx, waiting(), 'schedule');
    const message = 'test.work is already running; wait until it has ended';
    for (const trigger of ['manual', 'schedule'] as const) {
      expect(runJob(fixture.ctx, waiting(), trigger)).rejects.toMatchObject({ status: 409, message });
    }
    const other = await runJob(
      fixture.ctx,
      job(async () => ({}), 'test.other'),
      'manual',
    );
    expect(other.status).toBe('ok');
    await stopJobs(fixture.ctx);
    expect((await first).status).toBe('interrupted');
    expect(await statuses()).toEqual(['interrupted', 'ok']);
  });

  test('runs again after it has ended, well or not', async () => {
    const failing = job(() => Promise.reject(new Error('x')));
    await runJob(fixture.ctx, failing, 'manual');
    await runJob(fixture.ctx, failing, 'manual');
    expect(await statuses()).toEqual(['failed', 'failed']);
  });

  test('keeps the newest 200 runs of each job, in the order in which they began', async () => {
    const quick = job(async () => ({}));
    await runJob(
      fixture.ctx,
      job(async () => ({}), 'test.other'),
      'manual',
    );
    for (let i = 0; i < 205; i++) {
      fixture.clock -= 1000;
      await runJob(fixture.ctx, quick, 'manual');
    }
    expect(await fixture.count('job_runs', "job = 'test.work'")).toBe(200);
    expect(await fixture.count('job_runs', "job = 'test.other'")).toBe(1);
    const [state] = await listJobs(fixture.ctx, [quick]);
    expect(state?.lastRun?.startedAt).toBe(new Date(fixture.clock).toISOString());
  });

  test('a clock that is set back does not end a run before it began', async () => {
    const run = await runJob(
      fixture.ctx,
      job(async () => {
        fixture.clock -= 3_600_000;
        return {};
      }),
      'manual',
    );
    expect(Date.parse(run.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(run.startedAt));
  });
});

describe('stopJobs', () => {
  test('ends what runs and refuses what comes after', async () => {
    const runs = [
      runJob(fixture.ctx, waiting('a.b'), 'manual'),
      runJob(fixture.ctx, waiting('c.d'), 'schedule'),
    ];
    await stopJobs(fixture.ctx);
    expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(['interrupted', 'interrupted']);
    expect(runJob(fixture.ctx, waiting(), 'manual')).rejects.toMatchObject({ status: 503 });
  });

  test('waits for a job that ignores the signal only up to the given time', async () => {
    const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
    const begun = Promise.withResolvers<void>();
    const deaf = runJob(
      fixture.ctx,
      job(() => {
        begun.resolve();
        return promise;
      }),
      'manual',
    );
    await begun.promise;
    // Returns although the job goes on; if it waited for the job, this test would never end.
    await stopJobs(fixture.ctx, 30);
    resolve({});
    expect((await deaf).status).toBe('ok');
  });
});

describe('runs that a dead process left open', () => {
  const leaveOpen = (id: string, name: string): Promise<unknown> =>
    fixture.run("INSERT INTO job_runs VALUES (?, ?, 'schedule', ?, NULL, 'running', NULL)", [
      id,
      name,
      NOW - 1000,
    ]);

  test('are marked as interrupted at the start, runs of this process not', async () => {
    await leaveOpen('r1', 'test.dead');
    const alive = runJob(fixture.ctx, waiting(), 'manual');
    await closeInterrupted(fixture.ctx);
    expect(await statuses()).toEqual(['interrupted', 'running']);
    await stopJobs(fixture.ctx);
    await alive;
  });

  test('do not keep the job from running', async () => {
    await leaveOpen('r1', 'test.work');
    await leaveOpen('r2', 'test.other');
    await runJob(
      fixture.ctx,
      job(async () => ({})),
      'manual',
    );
    expect(await statuses()).toEqual(['interrupted', 'running', 'ok']);
  });
});
