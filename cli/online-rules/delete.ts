import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';

export const onlineRulesDelete = defineCommand({
  name: 'online-rules delete',
  summary: 'Delete an online rule with its backlog; its scores stay',
  args: { rule: { summary: 'Name or id of the rule' } },
  options: projectOption,
  examples: ['spanledger online-rules delete "Tone of production"'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const input = { project, rule: args.rule };
    const reply = z.object({ id: z.string() });
    const doc = await act(ctx, { action: 'rules.delete', input, reply });
    output.result(doc, () => output.success(`Online rule ${args.rule} deleted`));
  },
});
