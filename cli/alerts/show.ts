import type { GroupState } from '../../src/features/alerts/contract.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';
import { shortTime } from '../moment.ts';
import { withApp } from '../session.ts';
import { alertColumns, figureCell, stateCell } from './columns.ts';

export const alertsShow = defineCommand({
  name: 'alerts show',
  summary: 'Show an alert with its groups that are not ok',
  args: { id: { summary: 'Id of the alert, or its start', id: 'alert' } },
  examples: ['spanledger alerts show alr_0198c2f5a1b47c3e9d2f6b8a4e5c7d90'],
  run: async (ctx) => {
    const { output } = ctx;
    const { alertLeftOutText, figureText, findAlert, readAlertDetail } = await import(
      '../../src/features/alerts/index.ts'
    );
    const alert = await withApp(ctx, async ({ ctx: app }) => {
      const { projectId, id } = await findAlert(app, ctx.args.id);
      return readAlertDetail(app, projectId, id);
    });
    const columns: readonly ListColumn<GroupState>[] = [
      { header: 'group', value: ({ group }) => group },
      { header: 'state', value: ({ state }) => stateCell(state), fixed: true },
      { header: 'since', value: ({ since }) => shortTime(Date.parse(since)), fixed: true },
      {
        header: 'value',
        value: (state) => figureCell(figureText, alert.measure, state),
        fixed: true,
      },
    ];
    output.result(alert, () => {
      output.table(columnsThatFit(alertColumns(figureText), [alert], output.columns), [alert]);
      if (alert.error !== null) output.warn(`It cannot be judged: ${alert.error.message}`);
      if (alert.groups.left > 0)
        output.warn(`${alert.groups.left} groups are left out: only the 1,000 largest are judged`);
      const leftOut = alertLeftOutText(alert);
      if (leftOut !== null) output.warn(`${leftOut}: the alert judges the priced calls only`);
      if (alert.states.length > 0)
        output.table(columnsThatFit(columns, alert.states, output.columns), alert.states);
    });
  },
});
