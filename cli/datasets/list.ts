import type { Dataset } from '../../src/core/datasets/contract.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';
import { shortTime } from '../moment.ts';
import { projectOption, readOfProject } from '../project.ts';

const columns: readonly ListColumn<Dataset>[] = [
  { header: 'name', value: ({ name }) => name },
  { header: 'version', value: ({ version }) => String(version) },
  { header: 'items', value: ({ items }) => items.toLocaleString('en-US') },
  { header: 'splits', value: ({ splits }) => splits.flatMap(({ name }) => name ?? []).join(', '), rank: 1 },
  { header: 'changed', value: ({ updatedAt }) => shortTime(Date.parse(updatedAt)), rank: 2 },
  { header: 'id', value: ({ id }) => id, fixed: true, rank: 3 },
];

const LIMIT = 100;

export const datasetsList = defineCommand({
  name: 'datasets list',
  summary: 'List datasets with their newest version',
  options: projectOption,
  examples: ['spanledger datasets list', 'spanledger datasets list --project Assistant --json'],
  run: async (ctx) => {
    const { output, options } = ctx;
    const found = await readOfProject(ctx, options.project, {
      file: async (app, _scope, project) => {
        const { operatorScope } = await import('../../src/core/tenancy/index.ts');
        const { listDatasets } = await import('../../src/core/datasets/index.ts');
        return listDatasets(app, operatorScope(project), { limit: LIMIT });
      },
      server: async (server, { id }) => {
        const { listDatasetsEndpoint } = await import('../../src/core/datasets/contract.ts');
        return server.get(listDatasetsEndpoint, { query: { projectId: id, limit: LIMIT } });
      },
    });
    output.result(found, () => {
      const { datasets } = found;
      if (datasets.length === 0)
        return output.info('No datasets yet; create one under Datasets in the dashboard');
      output.table(columnsThatFit(columns, datasets, output.columns), datasets);
    });
  },
});
