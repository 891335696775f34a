import { type Ctx, listService, type Service } from '../../context.ts';

/** A run in progress. `done` resolves when its row is closed, whatever its status. */
type RunningJob = { readonly id: string; readonly abort: AbortController; readonly done: Promise<void> };

/** Current runs by job name. They are complete, because only one process writes to a file. */
export type Runs = { stopped: boolean; readonly byJob: Map<string, RunningJob> };

const runs: Service<Runs> = { name: 'jobs.runs', open: () => ({ stopped: false, byJob: new Map() }) };
export const jobServices = [listService(runs)];

/** The runs of this process. */
export const runsOf = (ctx: Ctx): Runs => ctx.use(runs);
