import type { Simulation } from '../../src/features/simulations/contract.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';
import { shortTime } from '../moment.ts';
import { projectOption, readOfProject } from '../project.ts';
import { tinted } from '../report/figures.ts';

const rateText = ({ lastRun }: Simulation): string => {
  const rate = lastRun?.metrics.find(({ name }) => name === 'passRate');
  return rate === undefined ? '' : `${(rate.mean * 100).toFixed(1)} %`;
};

const columns: readonly ListColumn<Simulation>[] = [
  { header: 'name', value: ({ name }) => name },
  { header: 'version', value: ({ version }) => String(version), rank: 2 },
  { header: 'scenarios', value: ({ scenarios }) => String(scenarios), rank: 1 },
  { header: 'last run', value: ({ lastRun }) => lastRun?.status ?? 'never', fixed: true },
  { header: 'pass rate', value: rateText, fixed: true },
  {
    header: 'time',
    value: ({ lastRun }) => tinted(lastRun === null ? '' : shortTime(Date.parse(lastRun.createdAt)), 'dim'),
    rank: 3,
  },
  { header: 'id', value: ({ id }) => id, fixed: true, rank: 4 },
];

export const simulationsList = defineCommand({
  name: 'simulations list',
  summary: 'List suites of simulations with the pass rates of their last runs',
  options: projectOption,
  examples: ['spanledger simulations list', 'spanledger simulations list --project Assistant --json'],
  run: async (ctx) => {
    const { output, options } = ctx;
    const found = await readOfProject(ctx, options.project, {
      file: async (app, _scope, { id: projectId }) => {
        const { listSimulations } = await import('../../src/features/simulations/index.ts');
        return { simulations: await listSimulations(app, projectId), nextCursor: null };
      },
      server: async (server, { id }) => {
        const { listSimulationsEndpoint } = await import('../../src/features/simulations/contract.ts');
        return server.get(listSimulationsEndpoint, { query: { projectId: id } });
      },
    });
    output.result(found, () => {
      const { simulations } = found;
      if (simulations.length === 0)
        return output.info('No suites yet; see `spanledger simulations push --help`');
      output.table(columnsThatFit(columns, simulations, output.columns), simulations);
    });
  },
});
