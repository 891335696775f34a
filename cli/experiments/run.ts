import { defineCommand } from '../command.ts';
import { projectOption } from '../project.ts';
import { parseThreshold } from './fail-if.ts';

export const experimentsRun = defineCommand({
  name: 'experiments run',
  summary: 'Run an experiment on a server and fail if it crosses a threshold, for CI',
  args: { file: { summary: 'JSON file with the experiment, or -' } },
  options: {
    ...projectOption,
    failIf: {
      value: 'RULE',
      summary: 'Exit 1 if it holds: "accuracy < 0.9", "cost > +10%", "accuracy is worse"',
      repeat: true,
    },
    baseline: {
      value: 'ID',
      summary: 'Experiment to compare with, or last: the last completed one of the dataset',
    },
    junit: { value: 'FILE', summary: 'Also write a report in the format of JUnit' },
    runId: { value: 'ID', summary: 'Own id, so that a repeated CI job goes on with its experiment' },
  },
  examples: [
    'spanledger experiments run experiment.json --server https://ledger.example.com',
    'spanledger experiments run experiment.json --fail-if "accuracy < 0.9"',
    'spanledger experiments run e.json --baseline last --fail-if "cost > +10%"',
    'spanledger experiments run experiment.json --junit report.xml --json',
  ],
  drains: 'quietly',
  run: async (ctx) => {
    const thresholds = (ctx.options.failIf ?? []).map(parseThreshold);
    return (await import('./run-experiment.ts')).runExperiment(ctx, ctx.args.file, {
      ...ctx.options,
      thresholds,
    });
  },
});
