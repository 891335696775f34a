import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { wholeNumber } from '../list/limit.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { parseWindow, windowOptions } from '../window.ts';
import { deploymentColumns } from './columns.ts';

export const deploymentsList = defineCommand({
  name: 'deployments list',
  summary: 'List deployments, newest first',
  options: {
    ...projectOption,
    start: {
      ...windowOptions.start,
      summary: 'From: 7d, 24h, 2026-01-31 or an ISO 8601 time; all by default',
    },
    end: windowOptions.end,
    environment: { value: 'NAME', summary: 'Only deployments of this environment', short: 'e' },
    release: { value: 'NAME', summary: 'Only deployments of this release' },
    limit: {
      value: 'N',
      summary: 'Most deployments to list, 1 to 200',
      short: 'n',
      type: wholeNumber(1, 200),
      default: '50',
    },
  },
  examples: ['spanledger deployments list', 'spanledger deployments list -e production --start 7d --json'],
  run: async (ctx) => {
    const { options, output } = ctx;
    const { environment, release, limit } = options;
    const query = { ...parseWindow(options, Date.now()), environment, release, limit };
    const [{ listDeployments }, { operatorScope }] = await Promise.all([
      import('../../src/core/deployments/index.ts'),
      import('../../src/core/tenancy/index.ts'),
    ]);
    const { deployments, nextCursor, skipped } = await withApp(ctx, async ({ ctx: app }) =>
      listDeployments(app, operatorScope(await chooseProject(app, options.project)), query),
    );
    output.result({ deployments, more: nextCursor !== null, skipped }, () => {
      if (deployments.length === 0)
        return output.info('No deployments yet; report one with `spanledger deployments create`');
      output.table(columnsThatFit(deploymentColumns, deployments, output.columns), deployments);
      if (nextCursor !== null) output.info(`the newest ${limit}, more with --limit`);
      if (skipped !== null)
        output.warn(
          `Too many new releases: ${skipped.release} (${skipped.environment}) and others are not kept`,
        );
    });
  },
});
