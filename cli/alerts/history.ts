import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { wholeNumber } from '../list/limit.ts';
import { withApp } from '../session.ts';
import { historyColumns } from './columns.ts';

export const alertsHistory = defineCommand({
  name: 'alerts history',
  summary: 'List the changes of state of an alert, newest first',
  args: { id: { summary: 'Id of the alert, or its start', id: 'alert' } },
  options: {
    group: { value: 'GROUP', summary: 'Only this group' },
    limit: {
      value: 'N',
      summary: 'Most changes to list, 1 to 200',
      short: 'n',
      type: wholeNumber(1, 200),
      default: '50',
    },
  },
  examples: ['spanledger alerts history alr_0198c2f5a1b47c3e9d2f6b8a4e5c7d90 --group gpt-4o'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { group, limit } = options;
    const { figureText, findAlert, listHistory } = await import('../../src/features/alerts/index.ts');
    const { measure, history, nextCursor } = await withApp(ctx, async ({ ctx: app }) => {
      const row = await findAlert(app, args.id);
      return { measure: row.rule.measure, ...(await listHistory(app, row, { group, limit })) };
    });
    output.result({ history, more: nextCursor !== null }, () => {
      if (history.length === 0) return output.info('No changes yet');
      output.table(columnsThatFit(historyColumns(measure, figureText), history, output.columns), history);
      if (nextCursor !== null) output.info(`the newest ${limit}, more with --limit`);
    });
  },
});
