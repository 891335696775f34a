import type { Recommendation } from '../../src/features/ai/recommendations/contract.ts';
import { defineCommand } from '../command.ts';
import { money, number } from '../format.ts';
import type { Column } from '../output.ts';
import { projectOption } from '../project.ts';
import { warnLeftOut } from '../report/pieces.ts';
import { printRecommendation } from './print-recommendation.ts';
import { readRecommendation, readRecommendations } from './read-recommendations.ts';

const columns: readonly Column<Recommendation>[] = [
  { header: 'id', value: ({ id }) => id, id: true },
  { header: 'recommendation', value: ({ title }) => title },
  { header: 'calls', value: ({ evidence }) => number(evidence.calls), spare: true },
  { header: 'cost', value: ({ evidence }) => money(evidence.costUsd), spare: true },
  { header: 'saving/30d', value: ({ monthlyUsd }) => money(monthlyUsd) },
  { header: 'confidence', value: ({ confidence }) => confidence, spare: true },
  { header: 'state', value: ({ state }) => state },
];

export const recommendationsList = defineCommand({
  name: 'recommendations list',
  summary: 'List what would have saved money in the last 30 days',
  options: projectOption,
  examples: ['spanledger recommendations list', 'spanledger recommendations list -p assistant --json'],
  run: async (ctx) => {
    const { recommendations, deletedBefore } = await readRecommendations(ctx, ctx.options.project);
    const reply = { recommendations, ...(deletedBefore === undefined ? {} : { deletedBefore }) };
    ctx.output.result(reply, () => {
      if (recommendations.length === 0) return ctx.output.info('Nothing found that would have saved money');
      ctx.output.table(columns, recommendations);
    });
    warnLeftOut(ctx.output, reply);
  },
});

export const recommendationsShow = defineCommand({
  name: 'recommendations show',
  summary: 'Show a recommendation with its evidence, what it can become and what it saved',
  args: { id: { summary: 'Id of the recommendation, or its start', id: 'recommendation' } },
  options: projectOption,
  examples: [
    'spanledger recommendations show rec_0f9c2b71',
    'spanledger recommendations show rec_0f9c --json',
  ],
  run: async (ctx) => {
    const { recommendation } = await readRecommendation(ctx, ctx.options.project, ctx.args.id);
    ctx.output.result(recommendation, () => printRecommendation(ctx.output, recommendation));
  },
});
