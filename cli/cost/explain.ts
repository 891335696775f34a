import type { Explanation } from '../../src/features/costs/contract.ts';
import { shellWord } from '../../src/lib/text/shell-word.ts';
import { defineCommand } from '../command.ts';
import { eventArgument, eventOptions, eventQuery, remoteEventQuery } from '../events/event-argument.ts';
import { type Cell, number } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { OWN_OPTIONS } from '../prices/fields.ts';
import { readOfProject } from '../project.ts';
import { tinted } from '../report/figures.ts';
import { facts, section } from '../report/pieces.ts';

/** Nano-dollars with all nine decimals of a dollar. */
const exact = (nano: number): Cell => ({ text: `$${(nano / 1e9).toFixed(9)}`, align: 'right' });

export const costExplain = defineCommand({
  name: 'cost explain',
  summary: 'Explain the cost of an event: price used, and bucket × rate = amount',
  args: eventArgument,
  options: eventOptions,
  examples: ['spanledger cost explain 0198c2f5-a1b4-7c3e-9d2f-6b8a4e5c7d90 -p assistant'],
  run: async (ctx) => {
    const { args, options, output } = ctx;
    const query = eventQuery(args.event, options.timestamp);
    const [{ readExplanation }, { explainEndpoint }] = await Promise.all([
      import('../../src/features/costs/index.ts'),
      import('../../src/features/costs/contract.ts'),
    ]);
    const doc = await readOfProject<Explanation>(ctx, options.project, {
      file: (app, scope) => readExplanation(app, scope, query),
      server: (server, project) => server.get(explainEndpoint, remoteEventQuery(query, project)),
    });
    output.result(doc, () => printExplanation(output, doc));
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

/** The command that adds the rates that a price lacks. */
const fixOf = ({ provider, missing_rates }: Explanation, model: string): string => {
  const options = missing_rates.map((rate) =>
    OWN_OPTIONS.has(rate)
      ? `--${rate.replace(/([A-Z]|1h)/g, (part) => `-${part.toLowerCase()}`)} USD`
      : `--rate ${rate}=USD`,
  );
  return `spanledger prices set ${shellWord(`${provider ?? '*'}/${model}`)} --extend ${options.join(' ')}`;
};

/** Prints the cost of an event, how it came about, and how to add a missing rate. */
export const printExplanation = (output: Output, doc: Explanation): void => {
  const { usage, normalised, cost_nano, lines } = doc;
  output.line(
    tinted(cost_nano === null ? 'No price' : exact(cost_nano).text, 'bold'),
    tinted(
      `${doc.provider ?? ''}/${doc.model ?? ''} · ${doc.timestamp} · ${doc.cost_status ?? 'not a call'}`,
      'dim',
    ),
  );
  output.line(doc.summary);
  if (doc.missing_rates.length > 0 && doc.model !== null)
    output.line(tinted(`Add it: ${fixOf(doc, doc.model)}`, 'accent'));
  section(output, 'Reported usage');
  facts(output, [
    {
      label: 'Input',
      value: number(usage.input_tokens),
      note: `${usage.cached_input_tokens} read from cache, ${usage.cache_write_tokens} written to cache`,
    },
    {
      label: 'Output',
      value: number(usage.output_tokens),
      note: `${usage.reasoning_tokens} reasoning`,
    },
  ]);
  output.line(tinted(`Interpretation: ${normalised.reason}.`, 'dim'));
  if (lines.length > 0) {
    section(output, 'Cost');
    output.table(lineColumns, lines);
    const verdict = doc.adds_up ? 'equals the stored cost' : 'differs from the stored cost';
    output.line(
      tinted('Sum', 'dim'),
      exact(doc.lines_nano ?? 0),
      tinted(verdict, doc.adds_up ? 'good' : 'bad'),
    );
  }
  const { today } = doc;
  if (today.cost_nano !== null && today.cost_nano !== cost_nano)
    output.line(tinted(`At today's prices: ${exact(today.cost_nano).text}`, 'warn'));
};
