import { z } from 'zod';
import { thresholdSchema } from '../../src/features/reconcile/connectors/contract.ts';
import { defineCommand } from '../command.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { act } from '../session.ts';

const amount = z
  .string()
  .regex(/^\d{1,7}(\.\d{1,4})?$/, 'expected a number such as 5 or 2.5')
  .transform(Number);

export const connectorsThreshold = defineCommand({
  name: 'connectors threshold',
  summary: 'Set how large the difference of a day and model must be for a warning, in percent and in USD',
  options: {
    ...orgOption,
    percent: { value: 'PERCENT', summary: 'Of the larger amount', type: amount, default: '5' },
    usd: { value: 'USD', summary: 'Amount in USD', type: amount, default: '1' },
  },
  examples: ['spanledger connectors threshold --percent 2 --usd 10'],
  run: async (ctx) => {
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const { percent, usd } = ctx.options;
    const doc = await act(ctx, {
      action: 'drift.set-threshold',
      input: { organization, threshold: { percent, usd } },
      reply: thresholdSchema,
    });
    ctx.output.result(doc, () => ctx.output.success(`Warns from ${doc.percent} % and $${doc.usd} on`));
  },
});
