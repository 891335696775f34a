import { getKeptEndpoint, type KeptResult } from '../../src/features/reconcile/kept/contract.ts';
import { defineCommand } from '../command.ts';
import { projectOption, readOfProject } from '../project.ts';
import { printReconciliation } from '../reconcile.ts';

export const reconciliationsShow = defineCommand({
  name: 'reconciliations show',
  summary: 'Show a kept comparison with its lines',
  args: { id: { summary: 'Id of the comparison, or its start', id: 'comparison' } },
  options: projectOption,
  examples: ['spanledger reconciliations show rec_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const { findKept } = await import('../../src/features/reconcile/index.ts');
    const { id } = ctx.args;
    const doc = await readOfProject<KeptResult>(ctx, ctx.options.project, {
      file: (app, _, project) => findKept(app, project.id, id),
      server: (server, { id: projectId }) =>
        server.get(getKeptEndpoint, { params: { id }, query: { projectId } }),
    });
    ctx.output.result(doc, () => {
      ctx.output.info(`${doc.name}, kept ${doc.createdAt.slice(0, 10)}`);
      if (doc.note !== '') ctx.output.info(doc.note);
      printReconciliation(ctx.output, doc.result);
    });
  },
});
