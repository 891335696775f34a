import type { Experiment } from '../../src/features/experiments/contract.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';
import { shortTime } from '../moment.ts';
import { projectOption, readOfProject } from '../project.ts';
import { tinted } from '../report/figures.ts';
import { metricText } from './print-experiment.ts';

const metricsText = ({ metrics }: Experiment): string =>
  metrics
    .filter(({ kind }) => kind === 'score')
    .map(({ name, kind, mean }) => `${name} ${metricText(kind, mean)}`)
    .join(', ');
const costText = ({ metrics }: Experiment): string => {
  const cost = metrics.find(({ kind }) => kind === 'cost');
  return cost === undefined ? '' : metricText('cost', cost.mean);
};

const columns: readonly ListColumn<Experiment>[] = [
  { header: 'time', value: ({ createdAt }) => tinted(shortTime(Date.parse(createdAt)), 'dim'), rank: 3 },
  { header: 'name', value: ({ name }) => name },
  {
    header: 'dataset',
    value: ({ datasetName, datasetVersion }) => `${datasetName ?? '(deleted)'} v${datasetVersion}`,
    rank: 1,
  },
  { header: 'status', value: ({ status }) => status, fixed: true },
  { header: 'scores', value: metricsText },
  { header: 'cost per run', value: costText },
  { header: 'id', value: ({ id }) => id, fixed: true, rank: 4 },
];

const LIMIT = 100;

export const experimentsList = defineCommand({
  name: 'experiments list',
  summary: 'List experiments with their scores and cost, newest first',
  options: projectOption,
  examples: ['spanledger experiments list', 'spanledger experiments list --project Assistant --json'],
  run: async (ctx) => {
    const { output, options } = ctx;
    const found = await readOfProject(ctx, options.project, {
      file: async (app, _scope, { id: projectId }) => {
        const { listExperiments } = await import('../../src/features/experiments/index.ts');
        return listExperiments(app, projectId, { limit: LIMIT });
      },
      server: async (server, { id }) => {
        const { listExperimentsEndpoint } = await import('../../src/features/experiments/contract.ts');
        return server.get(listExperimentsEndpoint, { query: { projectId: id, limit: LIMIT } });
      },
    });
    output.result(found, () => {
      const { experiments } = found;
      if (experiments.length === 0)
        return output.info('No experiments yet; see `spanledger experiments run --help`');
      output.table(columnsThatFit(columns, experiments, output.columns), experiments);
    });
  },
});
