import { type WhatIf, whatIfEndpoint, whatIfQuerySchema } from '../../src/features/what-if/contract.ts';
import { problemOf } from '../../src/http/problem-of.ts';
import { defineCommand } from '../command.ts';
import { money, number } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { usageError } from '../user-error.ts';
import { tinted } from './figures.ts';
import { section, warnLeftOut } from './pieces.ts';

const part = (what: string) => ({ value: 'FRACTION', summary: what }) as const;

export const reportWhatIf = defineCommand({
  name: 'report what-if',
  summary: 'Estimate past costs with another model, caching, batches or sampling',
  options: {
    ...projectOption,
    days: { value: 'N', summary: 'Number of whole days, with what has passed of today', default: '30' },
    model: { value: 'NAME', summary: 'Replacement: PROVIDER/MODEL, or a model of the same provider' },
    from: { value: 'NAME', summary: 'Only replace calls of this model' },
    caching: part('Share of the input, 0 to 1, served by a prompt cache'),
    batch: part('Share of the calls, 0 to 1, sent as a batch'),
    sample: part('Share of the calls, 0 to 1, still made'),
  },
  examples: [
    'spanledger report what-if --from gpt-4o --model openai/gpt-4o-mini',
    'spanledger report what-if --caching 0.6 --batch 0.5 --days 7',
  ],
  run: async (ctx) => {
    const { project: named, ...wish } = ctx.options;
    const parsed = whatIfQuerySchema.safeParse({ projectId: '', ...wish });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw usageError(
        `--${String(issue?.path[0] ?? 'model')}: ${issue && problemOf(issue)}`,
        'Shares are from 0 to 1, days from 1 to 366',
      );
    }
    const { readWhatIf } = await import('../../src/features/what-if/index.ts');
    const { projectId: _, ...input } = parsed.data;
    const doc = await readOfProject<WhatIf>(ctx, named, {
      file: (app, scope) => readWhatIf(app, scope, { ...input, now: Date.now() }),
      server: (server, { id: projectId }) => server.get(whatIfEndpoint, { query: { projectId, ...wish } }),
    });
    ctx.output.result(doc, () => {
      print(ctx.output, doc);
      warnLeftOut(ctx.output, doc);
    });
  },
});

type Row = WhatIf['models'][number];

const columns: readonly Column<Row>[] = [
  { header: 'model', value: ({ model }) => model },
  { header: 'as', value: ({ as }) => tinted(as, 'dim') },
  { header: 'calls', value: ({ calls }) => number(calls) },
  { header: 'actual', value: ({ actual }) => money(actual) },
  { header: 'would be', value: ({ expected }) => money(expected) },
  { header: 'difference', value: ({ difference }) => money(difference) },
];

const print = (output: Output, { models, total, assumptions }: WhatIf): void => {
  if (models.length === 0) {
    output.line('No calls in these days.');
    return;
  }
  output.table(columns, models);
  output.line(
    tinted('Total', 'bold'),
    money(total.actual),
    '→',
    money(total.expected),
    tinted(`(${money(total.difference).text} of ${number(total.calls).text} calls)`, 'dim'),
  );
  if (total.leftOut > 0)
    output.line(tinted(`! ${number(total.leftOut).text} calls are not included:`, 'warn'));
  for (const { model, note } of models) if (note !== null) output.line(tinted(`   ${model}: ${note}`, 'dim'));
  section(output, 'Assumptions');
  for (const line of assumptions) output.line(tinted(`· ${line}`, 'dim'));
};
