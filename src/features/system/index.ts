import { z } from 'zod';
import { listService } from '../../context.ts';
import { jobsOf } from '../../core/jobs/index.ts';
import { requestMeter } from '../../http/request-meter.ts';
import { defineAction, type Module } from '../../module.ts';
import { versionInfo } from '../../version.ts';
import { backupHourly } from './backups/copy-job.ts';
import type { examinedSchema } from './contract.ts';
import { examine } from './examine.ts';
import { startedAt } from './figures/started-at.ts';
import { measureJob } from './measure-job.ts';
import { createSystemRoutes } from './routes.ts';
import { exportTracesJob } from './telemetry/export-job.ts';

/** What operators see of a running server, and its backups. It receives the list of modules, which contains it. */
export function createSystemModule(modules: () => readonly Module[]): Module {
  const examineAction = defineAction({
    name: 'system.examine',
    input: z.object({}),
    run: async (ctx): Promise<z.infer<typeof examinedSchema>> => ({
      findings: await examine(ctx, jobsOf(modules()), { since: startedAt(ctx.now()) }),
      versions: versionInfo(),
    }),
  });
  return {
    name: 'system',
    routes: createSystemRoutes(() => jobsOf(modules())),
    jobs: [backupHourly, measureJob, exportTracesJob],
    actions: [examineAction],
    services: [listService(requestMeter)],
  };
}

export { examine } from './examine.ts';
