import type { Statement, StatementLine } from '../../src/features/costs/contract.ts';
import { type CsvColumn, toCsv } from '../../src/lib/csv.ts';
import { countText } from '../../src/lib/figures.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { defineCommand } from '../command.ts';
import { type Cell, knownCost, number } from '../format.ts';
import type { Column, Output } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { usageError } from '../user-error.ts';
import { parseMoment } from '../window.ts';
import { tinted } from './figures.ts';
import { unpricedCalls } from './pieces.ts';

/** Nano-dollars with all nine decimals of a dollar. */
const exact = (nano: number): Cell => ({ text: `$${(nano / 1e9).toFixed(9)}`, align: 'right' });

export const reportLedger = defineCommand({
  name: 'report ledger',
  summary: 'Print the statement of a day: bucket × rate = amount per model, and the total',
  options: {
    ...projectOption,
    day: { value: 'DAY', summary: 'UTC day such as 2026-11-20, or an age such as 1d', default: '1d' },
    environment: { value: 'NAME', summary: 'Only calls of this environment' },
    csv: { summary: 'Print the lines as CSV' },
  },
  examples: ['spanledger report ledger', 'spanledger report ledger --day 2026-11-20 --json'],
  run: async (ctx) => {
    if (ctx.options.csv && ctx.output.json)
      throw usageError('--csv and --json cannot be combined', 'Choose one');
    const day = Math.floor(parseMoment('--day', ctx.options.day, Date.now()) / DAY_MS);
    const [{ readStatement }, { statementEndpoint }] = await Promise.all([
      import('../../src/features/costs/index.ts'),
      import('../../src/features/costs/contract.ts'),
    ]);
    const { environment } = ctx.options;
    const doc = await readOfProject<Statement>(ctx, ctx.options.project, {
      file: (app, scope) => readStatement(app, scope, { day, environment: environment ?? null }),
      server: (server, { id: projectId }) => {
        const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
        return server.get(statementEndpoint, { query: { projectId, day: date, environment } });
      },
    });
    if (ctx.options.csv) ctx.output.raw(toCsv(csvColumns, doc.lines));
    else ctx.output.result(doc, () => print(ctx.output, doc));
  },
});

const csvColumns: readonly CsvColumn<StatementLine>[] = [
  { header: 'provider', value: ({ provider }) => provider },
  { header: 'model', value: ({ model }) => model },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'calls', value: ({ calls }) => calls },
  { header: 'bucket', value: ({ bucket }) => bucket },
  { header: 'tokens', value: ({ tokens }) => tokens },
  { header: 'usd_per_million', value: (line) => line.usd_per_million },
  { header: 'rounding_nano', value: (line) => line.rounding_nano },
  { header: 'amount_nano', value: (line) => line.amount_nano },
  { header: 'price', value: ({ price }) => price?.reference },
  { header: 'price_id', value: (line) => line.price_id },
  { header: 'context_above', value: ({ price }) => price?.context_above },
  { header: 'service_tier', value: ({ price }) => price?.service_tier },
];

const BUCKETS: Readonly<Record<NonNullable<StatementLine['bucket']>, string>> = {
  fresh: 'fresh input',
  cacheRead: 'cache read',
  cacheWrite5m: 'cache write 5m',
  cacheWrite1h: 'cache write 1h',
  output: 'output',
  reasoning: 'reasoning',
  audioInput: 'audio input',
  imageInput: 'image input',
  videoInput: 'video input',
  audioCached: 'cached audio',
  imageCached: 'cached images',
  audioOutput: 'audio output',
  imageOutput: 'image output',
  videoOutput: 'video output',
  audioSeconds: 'seconds of audio',
  pages: 'pages',
  citations: 'citations',
  webSearch: 'web search',
  request: 'requests',
};
const KINDS: Readonly<Record<StatementLine['kind'], string>> = {
  priced: 'used nothing',
  estimated: 'used nothing',
  client: 'stated by sender',
  unexplained: 'price not kept',
  summed: 'rows deleted',
  unpriced: 'no price',
};

/** A printed line; `head` marks the first line of each price, which shows the model and its calls. */
type Printed = { readonly line: StatementLine; readonly head: boolean };

/** What distinguishes this price from others of the same model. */
const markOf = ({ price }: StatementLine): string =>
  [
    price?.source === 'override' ? 'custom price' : '',
    price?.context_above == null ? '' : `>${price.context_above}`,
    price?.service_tier ?? '',
    price?.daily ?? '',
    price?.note == null ? '' : 'estimate',
  ]
    .filter((part) => part !== '')
    .join(' ');

/** An empty cell where the line above has the same value. */
const NOTHING: Cell = { text: '' };

const columns: readonly Column<Printed>[] = [
  {
    header: 'model',
    value: ({ head, line }) =>
      head
        ? [line.provider === null ? line.model : `${line.provider}/${line.model}`, markOf(line)]
            .filter((part) => part !== '')
            .join(' · ')
        : NOTHING,
  },
  {
    header: 'calls',
    value: ({ head, line }) => (head ? number(line.calls) : { ...NOTHING, align: 'right' }),
    fixed: true,
  },
  {
    header: 'bucket',
    value: ({ line }) => (line.bucket === null ? KINDS[line.kind] : BUCKETS[line.bucket]),
    fixed: true,
  },
  { header: 'tokens', value: ({ line }) => (line.tokens === null ? null : number(line.tokens)), fixed: true },
  {
    header: '× USD/M',
    value: ({ line }) => (line.usd_per_million === null ? null : rateCell(line.usd_per_million)),
    fixed: true,
  },
  {
    header: '= amount',
    value: ({ line }) => (line.amount_nano === null ? null : exact(line.amount_nano)),
    fixed: true,
  },
];

const rateCell = (usd: number): Cell => ({ text: `${usd}`, align: 'right' });

const accountOf = ({ provider, model, kind, price_id }: StatementLine): string =>
  JSON.stringify([provider, model, kind, price_id]);

const print = (output: Output, doc: Statement): void => {
  const { day, lines, total_nano, adds_up, calls, unpriced } = doc;
  output.line(tinted(`Statement of ${day}`, 'bold'), tinted('UTC', 'dim'));
  if (lines.length === 0) {
    output.line('No calls on this day.');
    return;
  }
  const printed = lines.map((line, i): Printed => {
    const above = lines[i - 1];
    return { line, head: above === undefined || accountOf(above) !== accountOf(line) };
  });
  output.table(columns, printed);
  output.line(
    tinted('Total', 'bold'),
    knownCost(exact(total_nano), { unpriced, calls }),
    tinted(`of ${countText(calls, 'call')}`, 'dim'),
  );
  if (!adds_up) output.warn('The lines do not add up to the total; please report this bug');
  if (unpriced > 0) output.line(tinted(`! ${unpricedCalls({ unpriced, calls })}`, 'warn'));
};
