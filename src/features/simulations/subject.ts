import { defineSubject } from '../../core/audit/index.ts';
import { simulationRuns, simulations } from './table.ts';

/** What the audit log shows of a suite. Not its secrets. */
export const simulationSubject = defineSubject('simulation', simulations, ['name', 'version']);

/** What it shows of a run. */
export const simulationRunSubject = defineSubject('simulation_run', simulationRuns, [
  'simulationId',
  'version',
  'seed',
  'maxCostNano',
  'status',
  'planned',
  'createdBy',
]);
