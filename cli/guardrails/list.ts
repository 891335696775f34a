import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { guardrailColumns } from './columns.ts';

export const guardrailsList = defineCommand({
  name: 'guardrails list',
  summary: 'List the guardrails of a project',
  options: projectOption,
  examples: ['spanledger guardrails list', 'spanledger guardrails list --project shop --json'],
  run: async (ctx) => {
    const { options, output } = ctx;
    const { listGuardrails } = await import('../../src/core/guardrails/index.ts');
    const { guardrails } = await withApp(ctx, async ({ ctx: app }) =>
      listGuardrails(app, (await chooseProject(app, options.project)).id, { limit: 200 }),
    );
    output.result({ guardrails }, () => {
      if (guardrails.length === 0)
        return output.info('No guardrails yet; create one with `spanledger guardrails create`');
      output.table(columnsThatFit(guardrailColumns, guardrails, output.columns), guardrails);
    });
  },
});
