import type { Recommendation } from '../../src/features/ai/recommendations/contract.ts';
import { defineCommand } from '../command.ts';
import { money, number } from '../format.ts';
import type { Column } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';

const columns: readonly Column<Recommendation>[] = [
  { header: 'recommendation', value: ({ title }) => title },
  { header: 'calls', value: ({ evidence }) => number(evidence.calls) },
  { header: 'cost', value: ({ evidence }) => money(evidence.costUsd) },
  { header: 'saving/30d', value: ({ monthlyUsd }) => money(monthlyUsd) },
  { header: 'confidence', value: ({ confidence }) => confidence },
  { header: 'state', value: ({ state }) => state },
];

export const recommendationsList = defineCommand({
  name: 'recommendations list',
  summary: 'List what would have saved money in the last 30 days',
  options: projectOption,
  examples: ['spanledger recommendations list', 'spanledger recommendations list -p assistant --json'],
  run: async (ctx) => {
    const recommendations = await readOfProject<readonly Recommendation[]>(ctx, ctx.options.project, {
      file: async (app, scope, { id }) => {
        const { listRecommendations } = await import('../../src/features/ai/index.ts');
        const { recommendations } = await listRecommendations(app, scope, {
          projectId: id,
          now: Date.now(),
        });
        return recommendations;
      },
      server: async (server, { id }) => {
        const { recommendationsEndpoint } = await import('../../src/features/ai/recommendations/contract.ts');
        return (await server.get(recommendationsEndpoint, { query: { projectId: id } })).recommendations;
      },
    });
    ctx.output.result({ recommendations }, () => {
      if (recommendations.length === 0) return ctx.output.info('Nothing found that would have saved money');
      ctx.output.table(columns, recommendations);
    });
  },
});
