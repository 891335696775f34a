import { keptSchema } from '../../src/features/reconcile/kept/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';

export const reconciliationsNote = defineCommand({
  name: 'reconciliations note',
  summary: 'Change the note of a kept comparison',
  args: {
    id: { summary: 'Id of the comparison, or its start', id: 'comparison' },
    note: { summary: 'The note; empty removes it' },
  },
  options: projectOption,
  examples: ['spanledger reconciliations note rec_0198c2f5a1b47c3e9d2f6b8a4e5c7d90 Credited'],
  run: async (ctx) => {
    const project = await withApp(ctx, async (app) => (await chooseProject(app.ctx, ctx.options.project)).id);
    const input = { project, id: ctx.args.id, note: ctx.args.note };
    const doc = await act(ctx, { action: 'reconciliations.note', input, reply: keptSchema });
    ctx.output.result(doc, () => ctx.output.success(`Note of ${doc.id} changed`));
  },
});
