import { statementsSchema } from '../../src/features/statements/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { act } from '../session.ts';
import { byOption, lastMonth, monthType } from './options.ts';
import { printStatements } from './print.ts';

export const statementsClose = defineCommand({
  name: 'statements close',
  summary: 'Close a month: its statements never change again',
  options: {
    month: { value: 'YYYY-MM', summary: 'Month in UTC; default: the last one', type: monthType },
    by: byOption,
    yes: { summary: 'Close without asking' },
    ...orgOption,
  },
  examples: ['spanledger statements close --month 2026-10 --by tag:customer --yes'],
  run: async (ctx) => {
    const { options, output } = ctx;
    const { month = lastMonth(Date.now()), by } = options;
    const organization = await chooseOrganization(ctx, options.org);
    const warning = `${month} by ${by} will be closed. Closed statements cannot be changed or opened again.`;
    await confirm(ctx, { warning, word: month, yes: options.yes });
    const doc = await act(ctx, {
      action: 'statements.close',
      input: { organization, month, by },
      reply: statementsSchema,
    });
    output.result(doc, () => {
      printStatements(output, doc);
      output.success(`${month} is closed with ${countText(doc.count, 'statement')}`);
    });
  },
});
