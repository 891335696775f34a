import { dashboardSchema } from '../../src/features/dashboards/contract.ts';
import { countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { readSource } from '../read-source.ts';
import { act, withApp } from '../session.ts';
import { usageError } from '../user-error.ts';

export const dashboardsImport = defineCommand({
  name: 'dashboards import',
  summary: 'Make a shared dashboard from a file, or replace the one of the same name',
  args: { file: { summary: 'JSON file of `dashboards export`, or - for standard input' } },
  options: projectOption,
  examples: [
    'spanledger dashboards import costs.json',
    'spanledger dashboards import - -p assistant <costs.json',
  ],
  run: async (ctx) => {
    const dashboard = parse(await readSource(ctx, ctx.args.file));
    const project = await withApp(
      ctx,
      async ({ ctx: app }) => (await chooseProject(app, ctx.options.project)).id,
    );
    const doc = await act(ctx, {
      action: 'dashboards.import',
      input: { project, dashboard },
      reply: dashboardSchema,
    });
    ctx.output.result(doc, () =>
      ctx.output.success(
        `${doc.name} ${doc.revision === 1 ? 'created' : 'replaced'} with ${countText(doc.tiles.length, 'tile')}`,
      ),
    );
  },
});

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError('The file is not JSON', 'Pass a file that `spanledger dashboards export` wrote');
  }
};
