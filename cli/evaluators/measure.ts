import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { chooseProject, projectOption } from '../project.ts';
import { act, withApp } from '../session.ts';

const reply = z.object({
  judge: z.string(),
  model: z.string(),
  examples: z.number(),
  failed: z.number(),
  agreed: z.number(),
  kappa: z.number().nullable(),
  costUsd: z.number().nullable(),
  differences: z.array(
    z.object({ output: z.string(), label: z.string(), judged: z.string(), reason: z.string().nullable() }),
  ),
});

export const evaluatorsMeasure = defineCommand({
  name: 'evaluators measure',
  summary: 'Measure how a ready judge with a model agrees with labelled examples',
  args: { judge: { summary: 'Id of the judge, such as correctness' } },
  options: {
    ...projectOption,
    model: { value: 'MODEL', summary: 'Model as NAME/MODEL; `models list` has them', required: true },
  },
  examples: ['spanledger evaluators measure tone --model openai/gpt-4o-mini'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const { id: project } = await withApp(ctx, ({ ctx: app }) => chooseProject(app, options.project));
    const input = { project, judge: args.judge, model: options.model };
    const found = await act(ctx, { action: 'evaluators.measure', input, reply });
    output.result(found, () => {
      const kappa = found.kappa === null ? 'not defined' : found.kappa.toFixed(2);
      output.info(
        `${found.agreed} of ${found.examples} agree, ${found.failed} failed; Cohen's kappa ${kappa}; cost ${found.costUsd ?? 'unknown'} USD`,
      );
      output.table(
        [
          { header: 'output', value: (one) => one.output },
          { header: 'label', value: (one) => one.label },
          { header: 'judged', value: (one) => one.judged },
          { header: 'reason', value: (one) => one.reason ?? '' },
        ],
        found.differences,
      );
    });
  },
});
