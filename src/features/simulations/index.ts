import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { readShare, readSuiteWork } from './change/read-suite-work.ts';
import { sweepJob } from './change/sweep.ts';
import { conversationsRead, turnsRead } from './read/conversation-reads.ts';
import { readFigures } from './read/figures.ts';
import { simulationRoutes } from './routes.ts';
import { checkAnswerWork, checkShare } from './run/check-work.ts';
import { runJob, runnerService } from './run/runner.ts';

/** Suites of scenarios in which scripted or played users talk to an agent, and their runs. No end user is in them. */
export const simulationsModule: Module = {
  name: 'simulations',
  tables: [
    {
      name: 'simulation_turns',
      scope: 'project',
      by: 'project',
      key: ['run_id', 'no', 'turn'],
      readable: true,
    },
    {
      name: 'simulation_conversations',
      scope: 'project',
      by: 'project',
      key: ['run_id', 'no'],
      readable: true,
    },
    { name: 'simulation_runs', scope: 'project', by: 'project_id', key: ['id'] },
    { name: 'simulation_versions', scope: 'project', by: 'project_id', key: ['simulation_id', 'version'] },
    { name: 'simulations', scope: 'project', by: 'project_id', key: ['id'] },
  ],
  routes: simulationRoutes,
  reads: [readFigures, conversationsRead, turnsRead],
  services: [listService(checkShare), listService(readShare), runnerService],
  works: [checkAnswerWork, readSuiteWork],
  jobs: [runJob, sweepJob],
};

export { createSuite } from './change/save-suite.ts';
export { listSimulations, readSimulation } from './queries.ts';
export { keepRun } from './run/keep-run.ts';
