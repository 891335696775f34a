import { defineCommand } from '../command.ts';
import { withApp } from '../session.ts';
import { printRepricing } from './print.ts';

export const repriceShow = defineCommand({
  name: 'reprice show',
  summary: 'Show a re-pricing: its progress and its changes by day and model',
  args: { id: { summary: 'Id of the re-pricing, or its start', id: 'repricing' } },
  examples: ['spanledger reprice show rep_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const { findRepricing, toReply } = await import('../../src/features/repricing/index.ts');
    const doc = await withApp(ctx, async (app) => toReply(await findRepricing(app.ctx, ctx.args.id), true));
    ctx.output.result(doc, () => printRepricing(ctx.output, doc));
  },
});
