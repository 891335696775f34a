import { deliverySchema } from '../../src/core/deliveries/contract.ts';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

export const deliveriesRetry = defineCommand({
  name: 'deliveries retry',
  summary: 'Send a delivery again, with the same id',
  args: { id: { summary: 'Id of the delivery, or its start', id: 'delivery' } },
  examples: ['spanledger deliveries retry dlv_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const doc = await act(ctx, { action: 'deliveries.retry', input: ctx.args, reply: deliverySchema });
    ctx.output.result(doc, () => ctx.output.success(`Delivery ${doc.id} is sent again to ${doc.channel}`));
  },
});
