import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';
import { EXIT } from '../user-error.ts';

const reply = z.looseObject({
  id: z.string(),
  job: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  status: z.enum(['running', 'ok', 'failed', 'interrupted']),
  result: z.unknown(),
});

export const jobsRun = defineCommand({
  name: 'jobs run',
  summary: 'Run a job now and wait until it ends',
  args: { name: { summary: 'Name of the job; see jobs list' } },
  examples: ['spanledger jobs run retention.delete_expired'],
  run: async (ctx) => {
    const { output } = ctx;
    const run = await act(ctx, { action: 'jobs.run', input: ctx.args, reply });
    const seconds = (Date.parse(run.finishedAt ?? run.startedAt) - Date.parse(run.startedAt)) / 1000;
    output.result(run, () => {
      for (const [name, value] of Object.entries(
        z.record(z.string(), z.unknown()).safeParse(run.result).data ?? {},
      ))
        output.line(`${name}:`, typeof value === 'string' ? value : JSON.stringify(value));
      if (run.status === 'ok') output.success(`${run.job} ran in ${seconds.toFixed(1)} s`);
      else output.warn(`${run.job} ${run.status === 'failed' ? 'failed' : 'was interrupted'}`);
    });
    return run.status === 'ok' ? EXIT.ok : EXIT.failure;
  },
});
