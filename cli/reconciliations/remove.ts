import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';

export const reconciliationsRemove = defineCommand({
  name: 'reconciliations remove',
  summary: 'Delete a kept comparison',
  args: { id: { summary: 'Id of the comparison, or its start', id: 'comparison' } },
  options: projectOption,
  examples: ['spanledger reconciliations remove rec_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const project = await withApp(ctx, async (app) => (await chooseProject(app.ctx, ctx.options.project)).id);
    const input = { project, id: ctx.args.id };
    const reply = z.object({ id: z.string() });
    const doc = await act(ctx, { action: 'reconciliations.remove', input, reply });
    ctx.output.result(doc, () => ctx.output.success(`Reconciliation ${doc.id} removed`));
  },
});
