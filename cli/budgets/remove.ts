import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

export const budgetsRemove = defineCommand({
  name: 'budgets remove',
  summary: 'Remove a budget and its threshold history',
  args: { id: { summary: 'Id of the budget, or its start', id: 'budget' } },
  examples: ['spanledger budgets remove bud_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const input = { id: ctx.args.id };
    const doc = await act(ctx, { action: 'budgets.remove', input, reply: z.object({ id: z.string() }) });
    ctx.output.result(doc, () => ctx.output.success(`Budget ${doc.id} removed`));
  },
});
