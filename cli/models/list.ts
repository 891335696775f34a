import { type ModelsReply, modelsReplySchema } from '../../src/core/models/contract.ts';
import { moneyText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';

const rate = (usd: number | null): string => (usd === null ? 'no price' : moneyText(usd));

const columns: readonly ListColumn<ModelsReply['models'][number]>[] = [
  { header: 'model', value: ({ id }) => id, fixed: true },
  { header: 'dialect', value: ({ provider }) => provider, rank: 1 },
  { header: 'input per 1M', value: ({ inputUsdPerMillion }) => rate(inputUsdPerMillion) },
  { header: 'output per 1M', value: ({ outputUsdPerMillion }) => rate(outputUsdPerMillion) },
];

export const modelsList = defineCommand({
  name: 'models list',
  summary: 'List the language models that the server itself may call, and what of the monthly cap is left',
  options: projectOption,
  examples: ['spanledger models list', 'spanledger models list --project Assistant --json'],
  run: async (ctx) => {
    const { options, output } = ctx;
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const found = await act(ctx, { action: 'models.list', input: { project }, reply: modelsReplySchema });
    output.result(found, () => {
      const { models, month } = found;
      if (models.length === 0)
        return output.info('No model is configured; set OPENAI_API_KEY, ANTHROPIC_API_KEY or MODELS_FILE');
      output.table(columnsThatFit(columns, models, output.columns), models);
      const cap = month.capUsd === null ? 'no cap' : `of a cap of ${moneyText(month.capUsd)}`;
      output.info(`${moneyText(month.spentUsd)} spent this month, ${cap}`);
    });
  },
});
