import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { parseThreshold } from '../experiments/fail-if.ts';
import { projectOption } from '../project.ts';

const count = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0, 'must not be negative');

export const simulationsRun = defineCommand({
  name: 'simulations run',
  summary: 'Run a suite of simulations on a server and fail if it crosses a threshold, for CI',
  args: { suite: { summary: 'Name or id of a suite, or its file, which is pushed first' } },
  options: {
    ...projectOption,
    failIf: {
      value: 'RULE',
      summary: 'Exit 1 if it holds: "passRate < 0.95", "passRate is worse", "cost > +10%"',
      repeat: true,
    },
    only: { value: 'SCENARIO', summary: 'Only this scenario', repeat: true },
    repetitions: { value: 'N', summary: 'How often each scenario runs', type: count },
    seed: { value: 'N', summary: 'Seed of attacks and variants', type: count },
    junit: { value: 'FILE', summary: 'Also write a report in the format of JUnit' },
    runId: { value: 'ID', summary: 'Own id, so that a repeated CI job goes on with its run' },
  },
  examples: [
    'spanledger simulations run Support --server https://ledger.example.com',
    'spanledger simulations run support.yaml --fail-if "passRate < 0.95"',
    'spanledger simulations run Support --fail-if "passRate is worse" --junit r.xml',
    'spanledger simulations run Support --only Refund --repetitions 10 --json',
  ],
  drains: 'quietly',
  run: async (ctx) => {
    const thresholds = (ctx.options.failIf ?? []).map(parseThreshold);
    return (await import('./run-simulation.ts')).runSimulation(ctx, ctx.args.suite, {
      ...ctx.options,
      thresholds,
    });
  },
});
