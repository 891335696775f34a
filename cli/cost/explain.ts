import { z } from 'zod';
import { ofProject } from '../../src/core/tenancy/index.ts';
import type { Explanation } from '../../src/features/costs/contract.ts';
import { defineCommand } from '../command.ts';
import { type Cell, number } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { tinted } from '../report/figures.ts';
import { facts, section } from '../report/pieces.ts';
import { withApp } from '../session.ts';
import { parseMoment } from '../window.ts';

/** Nano-dollars to the last digit. */
const exact = (nano: number): Cell => ({ text: `$${(nano / 1e9).toFixed(9)}`, align: 'right' });

export const costExplain = defineCommand({
  name: 'cost explain',
  summary: 'Show how the cost of an event came about: bucket × rate = amount, and which price it was',
  args: { event: { summary: 'Id of the event', type: z.guid('not the UUID of an event').toLowerCase() } },
  options: {
    ...projectOption,
    timestamp: { value: 'TIME', summary: "The event's time, which spares the search for it" },
  },
  examples: ['spanledger cost explain 0198c2f5-a1b4-7c3e-9d2f-6b8a4e5c7d90 -p assistant'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const ts =
      options.timestamp === undefined ? null : parseMoment('--timestamp', options.timestamp, Date.now());
    const { explainRead } = await import('../../src/features/costs/explain.ts');
    const doc: Explanation = await withApp(ctx, async (app) => {
      const project = await chooseProject(app.ctx, options.project);
      return JSON.parse(await app.ctx.db.read(explainRead, ofProject(project), { id: args.event, ts }));
    });
    output.result(doc, () => print(output, doc));
  },
});

type Line = Explanation['lines'][number];

const lineColumns: readonly Column<Line>[] = [
  { header: 'bucket', value: ({ bucket }) => bucket },
  { header: 'tokens', value: ({ tokens }) => number(tokens) },
  {
    header: '× USD/million',
    value: ({ usd_per_million }) => ({ text: `${usd_per_million}`, align: 'right' }),
  },
  { header: '= amount', value: ({ amount_nano }) => exact(amount_nano) },
  { header: 'rate', value: ({ rate }) => tinted(rate, 'dim') },
];

const print = (output: Output, doc: Explanation): void => {
  const { usage, normalised, cost_nano, lines } = doc;
  output.line(
    tinted(cost_nano === null ? 'No price' : exact(cost_nano).text, 'bold'),
    tinted(
      `${doc.provider ?? ''}/${doc.model ?? ''} · ${doc.timestamp} · ${doc.cost_status ?? 'no call'}`,
      'dim',
    ),
  );
  output.line(doc.summary);
  section(output, 'Usage as sent');
  facts(output, [
    {
      label: 'Input',
      value: number(usage.input_tokens),
      note: `of them ${usage.cached_input_tokens} read from and ${usage.cache_write_tokens} written to the cache`,
    },
    {
      label: 'Output',
      value: number(usage.output_tokens),
      note: `of them ${usage.reasoning_tokens} reasoning`,
    },
  ]);
  output.line(tinted(`Read so: ${normalised.reason}.`, 'dim'));
  if (lines.length > 0) {
    section(output, 'Cost');
    output.table(lineColumns, lines);
    const verdict = doc.adds_up ? 'the stored cost, to the nano-dollar' : 'not the stored cost';
    output.line(
      tinted('Sum', 'dim'),
      exact(doc.lines_nano ?? 0),
      tinted(verdict, doc.adds_up ? 'good' : 'bad'),
    );
  }
  const { today } = doc;
  if (today.cost_nano !== null && today.cost_nano !== cost_nano)
    output.line(tinted(`By today's prices: ${exact(today.cost_nano).text}`, 'warn'));
};
