import { listRepricingsEndpoint, type RepricingRow } from '../../src/features/repricing/contract.ts';
import { defineCommand } from '../command.ts';
import { money, number } from '../format.ts';
import type { Column } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';

const columns: readonly Column<RepricingRow>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'state', value: ({ state }) => state, fixed: true },
  { header: 'done', value: ({ progress }) => ({ text: `${Math.round(progress * 100)}%`, align: 'right' }) },
  { header: 'events', value: ({ changes }) => number(changes) },
  { header: 'difference', value: ({ before, after }) => money(after - before) },
  { header: 'by', value: ({ steps }) => steps.at(-1)?.by ?? '–' },
  { header: 'from', value: ({ createdAt }) => createdAt.slice(0, 16).replace('T', ' ') },
];

export const repriceList = defineCommand({
  name: 'reprice list',
  summary: 'List re-pricings with their progress, the newest first',
  options: projectOption,
  examples: ['spanledger reprice list -p assistant'],
  run: async (ctx) => {
    const { listRepricings } = await import('../../src/features/repricing/index.ts');
    const repricings = await readOfProject<readonly RepricingRow[]>(ctx, ctx.options.project, {
      file: (app, _, { no }) => listRepricings(app, no),
      server: async (server, { id: projectId }) =>
        (await server.get(listRepricingsEndpoint, { query: { projectId } })).repricings,
    });
    ctx.output.result({ repricings }, () => {
      ctx.output.table(columns, repricings);
      if (repricings.length === 0) ctx.output.info('None yet; start with `spanledger reprice plan`');
    });
  },
});
