import { z } from 'zod';
import { notFound } from '../../errors.ts';
import { type Action, defineAction, type Module } from '../../module.ts';
import { jobsOf } from './list-jobs.ts';
import type { JobRun } from './queries.ts';
import { runJob } from './run-job.ts';
import { jobServices } from './running.ts';

/** The jobs module. It receives the list of modules as a function, because the list contains it. */
export function createJobsModule(modules: () => readonly Module[]): Module {
  return {
    name: 'jobs',
    tables: [{ name: 'job_runs', scope: 'none', key: ['id'] }],
    actions: [runJobAction(modules)],
    services: jobServices,
  };
}

/**
 * The action `jobs.run`: runs a job by hand and resolves when the run has ended, successfully or not. Throws 404 for
 * an unknown job, 409 while the job runs.
 */
export function runJobAction(modules: () => readonly Module[]): Action<z.ZodType<{ name: string }>, JobRun> {
  return defineAction({
    name: 'jobs.run',
    input: z.object({ name: z.string() }),
    run: async (ctx, { name }, actor) => {
      const jobs = jobsOf(modules());
      const job = jobs.find((known) => known.name === name);
      if (job !== undefined) return runJob(ctx, job, 'manual', actor);
      throw notFound(`There is no job ${name}; the jobs are ${jobs.map((known) => known.name).join(', ')}`);
    },
  });
}

export { deleteInSlices, type SliceTask } from './delete-in-slices.ts';
export { type JobState, jobsOf, listJobs, loadCalendar } from './list-jobs.ts';
export { paced } from './paced.ts';
export { type JobRun, listRuns } from './queries.ts';
export { closeInterrupted, runJob, stopJobs } from './run-job.ts';
export { type JobTally, jobTallies } from './running.ts';
export { type Scheduler, startScheduler } from './start-scheduler.ts';
