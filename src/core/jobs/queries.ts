import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { Statements } from '../../db/batch.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import { type AuditNote, commitChange, INSTALLATION } from '../audit/index.ts';
import { jobRuns } from './table.ts';

type RunRow = typeof jobRuns.$inferSelect;

/** One run of a job as replies show it: times in ISO 8601, `result` is the job's summary or `{ error }`. */
export type JobRun = Omit<RunRow, 'startedAt' | 'finishedAt'> & {
  readonly startedAt: string;
  readonly finishedAt: string | null;
};

/** Number of runs kept per job. */
export const KEPT_RUNS = 200;

const LOST = { error: 'The process ended while the job ran' };

/**
 * Records the start of a run, closes runs of this job that a dead process left open, and deletes its oldest runs.
 * Rows are ordered by rowid (insertion order), which is safe if the clock is set back.
 */
export async function insertRun(
  ctx: Ctx,
  run: { id: string; job: string; trigger: RunRow['trigger']; startedAt: Date },
  actor: Actor | null,
): Promise<void> {
  const db = ctx.db.sql;
  const ofJob = eq(jobRuns.job, run.job);
  const statements: Statements = [
    db
      .update(jobRuns)
      .set({ status: 'interrupted', result: LOST })
      .where(and(ofJob, eq(jobRuns.status, 'running'))),
    db.insert(jobRuns).values({ ...run, status: 'running' }),
    db
      .delete(jobRuns)
      .where(
        and(
          ofJob,
          sql`rowid NOT IN (SELECT rowid FROM job_runs WHERE job = ${run.job} ORDER BY rowid DESC LIMIT ${KEPT_RUNS})`,
        ),
      ),
  ];
  if (actor === null) await db.batch(statements);
  else await commitChange(ctx, actor, { statements, audit: [noteOf(run)] });
}

const noteOf = ({ id, job }: { id: string; job: string }): AuditNote => ({
  action: 'job.started',
  organizationId: INSTALLATION,
  after: { job, run: id },
});

/** Closes a run's row and returns it. */
export async function updateRun(
  ctx: Ctx,
  id: string,
  end: { finishedAt: Date; status: RunRow['status']; result: unknown },
): Promise<JobRun> {
  const [row] = await ctx.db.sql.update(jobRuns).set(end).where(eq(jobRuns.id, id)).returning();
  if (row === undefined) throw new Error(`the row of run ${id} is gone`);
  return toJobRun(row);
}

/** Marks all `running` runs as interrupted, except those in `alive`. */
export async function closeRuns(ctx: Ctx, alive: readonly string[]): Promise<void> {
  await ctx.db.sql
    .update(jobRuns)
    .set({ status: 'interrupted', result: LOST })
    .where(and(eq(jobRuns.status, 'running'), notInArray(jobRuns.id, [...alive])));
}

/** The last run of each job, by the job's name. */
export async function listLastRuns(ctx: Ctx): Promise<Map<string, JobRun>> {
  const newest = sql`(SELECT max(rowid) FROM job_runs GROUP BY job)`;
  const rows = await ctx.db.sql.select().from(jobRuns).where(sql`rowid IN ${newest}`);
  return new Map(rows.map((row) => [row.job, toJobRun(row)]));
}

/** The recorded runs of a job, newest first. */
export async function listRuns(ctx: Ctx, job: string): Promise<JobRun[]> {
  const ofJob = ctx.db.sql.select().from(jobRuns).where(eq(jobRuns.job, job));
  return (await ofJob.orderBy(sql`rowid DESC`)).map(toJobRun);
}

/** Start time of each job's last run that ended, successfully or not: epoch milliseconds by job name. */
export async function listLastEnded(ctx: Ctx): Promise<Map<string, number>> {
  const ended = inArray(jobRuns.status, ['ok', 'failed']);
  const rows = await ctx.db.sql
    .select({ job: jobRuns.job, startedAt: jobRuns.startedAt })
    .from(jobRuns)
    .where(sql`rowid IN (SELECT max(rowid) FROM job_runs WHERE ${ended} GROUP BY job)`);
  return new Map(rows.map((row) => [row.job, row.startedAt.getTime()]));
}

function toJobRun(row: RunRow): JobRun {
  return {
    ...row,
    startedAt: formatInstant(row.startedAt.getTime()),
    finishedAt: row.finishedAt === null ? null : formatInstant(row.finishedAt.getTime()),
  };
}
