import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { printReconciliation } from '../reconcile.ts';
import { withApp } from '../session.ts';

export const reconciliationsShow = defineCommand({
  name: 'reconciliations show',
  summary: 'Show a kept comparison with its lines',
  args: { id: { summary: 'Id of the comparison' } },
  options: projectOption,
  examples: ['spanledger reconciliations show rec_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const { findKept } = await import('../../src/features/reconcile/index.ts');
    const doc = await withApp(ctx, async ({ ctx: app }) =>
      findKept(app, (await chooseProject(app, ctx.options.project)).id, ctx.args.id),
    );
    ctx.output.result(doc, () => {
      ctx.output.info(`${doc.name}, kept ${doc.createdAt.slice(0, 10)}`);
      if (doc.note !== '') ctx.output.info(doc.note);
      printReconciliation(ctx.output, doc.result);
    });
  },
});
