import { ALERT_STATES } from '../../src/features/alerts/contract.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { wholeNumber } from '../list/limit.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { alertColumns } from './columns.ts';

export const alertsList = defineCommand({
  name: 'alerts list',
  summary: 'List the alerts of a project, those that fire first',
  options: {
    ...projectOption,
    state: { value: 'STATE', summary: 'Only alerts with this state', choices: ALERT_STATES },
    filter: { value: 'TEXT', summary: "Filter, such as 'measure:cost environment:production'", short: 'f' },
    limit: {
      value: 'N',
      summary: 'Most alerts to list, 1 to 200',
      short: 'n',
      type: wholeNumber(1, 200),
      default: '50',
    },
  },
  examples: ['spanledger alerts list', 'spanledger alerts list --state critical --json'],
  run: async (ctx) => {
    const { options, output } = ctx;
    const { state, filter, limit } = options;
    const { figureText, listAlerts } = await import('../../src/features/alerts/index.ts');
    const { alerts, nextCursor } = await withApp(ctx, async ({ ctx: app }) =>
      listAlerts(app, (await chooseProject(app, options.project)).id, { state, filter, limit }),
    );
    output.result({ alerts, more: nextCursor !== null }, () => {
      if (alerts.length === 0 && (filter !== undefined || state !== undefined))
        return output.info('No alert matches');
      if (alerts.length === 0)
        return output.info('No alerts; create one with `spanledger alerts create FILE`');
      output.table(columnsThatFit(alertColumns(figureText), alerts, output.columns), alerts);
      if (nextCursor !== null) output.info(`the first ${limit}, more with --limit`);
    });
  },
});
