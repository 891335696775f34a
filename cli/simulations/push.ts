import { defineCommand } from '../command.ts';
import { projectOption } from '../project.ts';

export const simulationsPush = defineCommand({
  name: 'simulations push',
  summary: 'Bring suites of a server to what files say; equal ones get no new version',
  args: { path: { summary: 'YAML or JSON file, or a folder of such files' } },
  options: {
    ...projectOption,
    message: { value: 'TEXT', summary: 'What changed', short: 'm' },
  },
  examples: [
    'spanledger simulations push simulations --server https://ledger.example.com',
    'spanledger simulations push support.yaml -m "Refunds"',
  ],
  run: async (ctx) => {
    const { openPlace } = await import('./run-simulation.ts');
    const { pushSuite, readSuiteFile, suitePaths } = await import('./push-suite.ts');
    const files = await Promise.all(suitePaths(ctx.args.path).map((path) => readSuiteFile(ctx, path)));
    const place = await openPlace(ctx, ctx.options.project, 'simulations push');
    const suites: { name: string; id: string; version: number; change: string }[] = [];
    for (const file of files) {
      const { name, id, version, change } = await pushSuite(place, file, ctx.options.message ?? '');
      suites.push({ name, id, version, change });
    }
    ctx.output.result({ suites }, () => {
      for (const { name, version, change } of suites)
        ctx.output.raw(`${name}: ${change} (version ${version})\n`);
      const changed = suites.filter(({ change }) => change !== 'unchanged').length;
      ctx.output.success(`${changed} of ${suites.length} suites changed`);
    });
  },
});
