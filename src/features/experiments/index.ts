import type { Module } from '../../module.ts';
import { sweepJob } from './change/sweep.ts';
import { readFigures } from './read/figures.ts';
import { listRunsRead } from './read/list-runs.ts';
import { experimentRoutes } from './routes.ts';
import { runJob, runnerService } from './run/runner.ts';

const ofUser = { deleteWhere: 'user_id = ?' } as const;

/** Runs of a prompt or of an own program over a dataset, with scores and the comparison with a baseline. */
export const experimentsModule: Module = {
  name: 'experiments',
  tables: [
    {
      name: 'experiment_scores',
      scope: 'project',
      by: 'project',
      key: ['experiment_id', 'no', 'repetition', 'name'],
      readable: true,
      eraseUser: ofUser,
    },
    {
      name: 'experiment_runs',
      scope: 'project',
      by: 'project',
      key: ['experiment_id', 'no', 'repetition'],
      readable: true,
      eraseUser: { ...ofUser, receipt: 'experimentRuns' },
    },
    { name: 'experiments', scope: 'project', by: 'project_id', key: ['id'] },
  ],
  routes: experimentRoutes,
  reads: [listRunsRead, readFigures],
  services: [runnerService],
  jobs: [runJob, sweepJob],
};

export { createExperiment, finishExperiment } from './change/change-experiment.ts';
export { reportResults } from './change/report-results.ts';
export { listExperiments } from './queries.ts';
