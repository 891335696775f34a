import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { guardrailColumns } from './columns.ts';

export const guardrailsShow = defineCommand({
  name: 'guardrails show',
  summary: 'Show a guardrail with the settings of its checks',
  args: { name: { summary: 'Name or id of the guardrail' } },
  options: projectOption,
  examples: ['spanledger guardrails show pii', 'spanledger guardrails show pii --json > pii.json'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { readGuardrail } = await import('../../src/core/guardrails/index.ts');
    const guardrail = await withApp(ctx, async ({ ctx: app }) =>
      readGuardrail(app, (await chooseProject(app, options.project)).id, args.name),
    );
    output.result(guardrail, () => {
      output.table(columnsThatFit(guardrailColumns, [guardrail], output.columns), [guardrail]);
      for (const { kind, action, config } of guardrail.checks)
        output.info(`${kind} ${action} ${JSON.stringify(config)}`);
    });
  },
});
