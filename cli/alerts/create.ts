import { alertSchema } from '../../src/features/alerts/contract.ts';
import { defineCommand } from '../command.ts';
import { columnsThatFit } from '../list/columns.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';
import { alertColumns } from './columns.ts';
import { readRule } from './read-rule.ts';

export const alertsCreate = defineCommand({
  name: 'alerts create',
  summary: 'Create an alert from a rule in JSON or YAML',
  args: { file: { summary: 'File with the rule, or - for stdin' } },
  options: projectOption,
  examples: ['spanledger alerts create errors.yaml', 'spanledger alerts create - --project web < rule.json'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const alert = await readRule(ctx, args.file);
    const { id: project } = await withApp(ctx, (app) => chooseProject(app.ctx, options.project));
    const made = await act(ctx, { action: 'alerts.create', input: { project, alert }, reply: alertSchema });
    const { figureText } = await import('../../src/features/alerts/index.ts');
    output.result(made, () => {
      output.table(columnsThatFit(alertColumns(figureText), [made], output.columns), [made]);
      output.success(`Alert ${made.id} created`);
      if (made.channelIds.length === 0 && !made.opensIncident)
        output.info('It notifies nobody: the rule names no channels (`spanledger channels list`)');
    });
  },
});
