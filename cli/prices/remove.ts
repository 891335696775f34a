import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

export const pricesRemove = defineCommand({
  name: 'prices remove',
  summary: 'Remove a custom price; new calls use the catalogue again',
  args: { id: { summary: 'Id of the price, or its start', id: 'price' } },
  examples: ['spanledger prices remove prc_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const input = { id: ctx.args.id };
    const doc = await act(ctx, { action: 'prices.remove', input, reply: z.object({ id: z.string() }) });
    ctx.output.result(doc, () =>
      ctx.output.success(`Price ${doc.id} removed; stored calls keep their cost until you re-price them`),
    );
  },
});
