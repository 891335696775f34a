import { reportedDeployment } from '../../src/core/deployments/contract.ts';
import { formatInstant } from '../../src/lib/time.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { parseMoment } from '../window.ts';
import { deploymentColumns } from './columns.ts';

export const deploymentsCreate = defineCommand({
  name: 'deployments create',
  summary: 'Report a deployment; a repetition changes only what it says otherwise',
  args: { release: { summary: 'Release, as events name it' } },
  options: {
    ...projectOption,
    environment: { value: 'NAME', summary: 'Environment, as events name it', short: 'e', required: true },
    at: {
      value: 'TIME',
      summary: 'When: 30m, 2026-01-31 or an ISO 8601 time; its first event or now by default',
    },
    commit: { value: 'HASH', summary: 'Commit' },
    url: { value: 'URL', summary: 'Link to the release or the CI job' },
    title: { value: 'TEXT', summary: 'What changed' },
  },
  examples: [
    'spanledger deployments create 2.4.1 --environment production',
    'spanledger deployments create 2.4.1 -e production --at 10m --commit 4f2c9ab',
  ],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { environment, commit, url, title } = options;
    const at = options.at === undefined ? undefined : parseMoment('--at', options.at, Date.now());
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const deployment = {
      release: args.release,
      environment,
      ...(at !== undefined && { at: formatInstant(at) }),
      ...(commit !== undefined && { commit }),
      ...(url !== undefined && { url }),
      ...(title !== undefined && { title }),
    };
    const input = { project, deployment };
    const made = await act(ctx, { action: 'deployments.create', input, reply: reportedDeployment });
    output.result(made, () => {
      output.table(columnsThatFit(deploymentColumns, [made], output.columns), [made]);
      if (made.created) output.success(`Deployment ${made.id} created`);
      else if (made.changed.length === 0) output.info(`Deployment ${made.id} was known; nothing changed`);
      else output.success(`Deployment ${made.id} was known; changed: ${made.changed.join(', ')}`);
    });
  },
});
