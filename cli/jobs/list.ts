import type { JobState } from '../../src/core/jobs/index.ts';
import { defineCommand } from '../command.ts';
import type { Cell } from '../format.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { withApp } from '../session.ts';

const tones = { ok: 'good', failed: 'bad', interrupted: 'warn', running: 'accent' } as const;

const lastRun = ({ lastRun }: JobState): Cell =>
  lastRun === null
    ? { text: 'never', tone: 'dim' }
    : { text: `${shortTime(Date.parse(lastRun.startedAt))} ${lastRun.status}`, tone: tones[lastRun.status] };

const columns: readonly Column<JobState>[] = [
  { header: 'job', value: ({ name }) => name, fixed: true },
  { header: 'last run (UTC)', value: lastRun, fixed: true },
  { header: 'next', value: ({ nextRun }) => shortTime(Date.parse(nextRun)), fixed: true },
];

/** Narrow terminals would cut off the description; --json always has it. */
const about: Column<JobState> = { header: '', value: ({ summary }) => ({ text: summary, tone: 'dim' }) };

export const jobsList = defineCommand({
  name: 'jobs list',
  summary: 'List the jobs with their last run and next run',
  examples: ['spanledger jobs list', 'spanledger jobs list --json'],
  run: async (ctx) => {
    const [{ jobsOf, listJobs }, { modules }] = await Promise.all([
      import('../../src/core/jobs/index.ts'),
      import('../../src/features.ts'),
    ]);
    const jobs = await withApp(ctx, (app) => listJobs(app.ctx, jobsOf(modules)));
    ctx.output.result({ jobs }, () =>
      ctx.output.table(ctx.output.columns < 110 ? columns : [...columns, about], jobs),
    );
  },
});
