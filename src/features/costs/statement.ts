import { queryMetrics } from '../../core/events/index.ts';
import { route } from '../../core/tenancy/index.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import { JsonText } from '../../http/reply.ts';
import { NO_MODEL } from '../../lib/no-model.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import {
  BILLED_BUCKETS,
  STATEMENT_KINDS,
  type Statement,
  type StatementLine,
  statementEndpoint,
} from './contract.ts';
import { readLines } from './statement-lines.ts';

/** A UTC day, as days since the epoch, and one environment, if one. */
export type StatementInput = { readonly day: number; readonly environment: string | null };

const nanoOf = (usd: number): number => Math.round(usd * 1e9);
const usdOf = (nano: number | null): number | null => (nano === null ? null : nano / 1e9);
const sumOf = (lines: readonly StatementLine[], of: 'calls' | 'amount_nano'): number =>
  lines.reduce((sum, line) => sum + (line[of] ?? 0), 0);

/**
 * A day's statement: bucket × rate = amount of each model and price, what senders stated, what has no price,
 * and the stored total that the lines add up to. It reads the day's rows.
 */
export const statementRead: ReadOp<StatementInput, Statement> = {
  name: 'costs.statement',
  run(reader, { day, environment }) {
    const window = { from: day * DAY_MS, to: (day + 1) * DAY_MS };
    const lines = readLines(reader, { ...window, environment });
    const books = readBooks(reader, window, environment);
    for (const book of books) lines.push(...deletedLines(book, lines));
    const [total] = queryMetrics(reader, { measures: MEASURES, ...within(window, environment) });
    const totalNano = nanoOf(total?.cost ?? 0);
    const linesNano = sumOf(lines, 'amount_nano');
    const order = new Map(books.map((book, place) => [nameOf(book), place]));
    return {
      day: formatInstant(window.from).slice(0, 10),
      environment,
      lines: inOrder(lines, order),
      models: books,
      total_nano: totalNano,
      total_usd: totalNano / 1e9,
      lines_nano: linesNano,
      adds_up: linesNano === totalNano,
      calls: total?.requests ?? 0,
      unpriced: total?.unpriced ?? 0,
    };
  },
};

const MEASURES = ['cost', 'requests', 'unpriced'] as const;
type Window = { readonly from: number; readonly to: number };
const within = (window: Window, environment: string | null) => ({
  window,
  filters: environment === null ? {} : { environment },
});

type Book = Statement['models'][number];
const nameOf = ({ provider, model }: Pick<Book, 'provider' | 'model'>): string =>
  JSON.stringify([provider, model]);

/** What is in the books for each model, dearest first: from the sums that stay when rows go. */
function readBooks(reader: Reader, window: Window, environment: string | null): Book[] {
  const groupBy = ['provider', 'model'] as const;
  return queryMetrics(reader, { measures: MEASURES, groupBy, ...within(window, environment) })
    .map(({ provider, model, cost, requests, unpriced }) => {
      const nano = requests === unpriced ? null : nanoOf(cost);
      const name = { provider, model: model ?? NO_MODEL };
      return { ...name, calls: requests, unpriced, amount_nano: nano, amount_usd: usdOf(nano) };
    })
    .sort((a, b) => (b.amount_nano ?? -1) - (a.amount_nano ?? -1) || b.calls - a.calls);
}

/** What is in the books for a model and no longer in rows, since retention has deleted them. */
function deletedLines(book: Book, lines: readonly StatementLine[]): StatementLine[] {
  const own = lines.filter((line) => nameOf(line) === nameOf(book));
  const priced = byAccount(own.filter(({ kind }) => kind !== 'unpriced'));
  const unpriced = own.filter(({ kind }) => kind === 'unpriced');
  const nano = (book.amount_nano ?? 0) - sumOf(own, 'amount_nano');
  const missing = {
    summed: book.calls - book.unpriced - sumOf(priced, 'calls'),
    unpriced: book.unpriced - sumOf(unpriced, 'calls'),
  };
  const line = (kind: 'summed' | 'unpriced', amount: number | null): StatementLine => ({
    provider: book.provider,
    model: book.model,
    kind,
    bucket: null,
    price: null,
    price_id: null,
    calls: missing[kind],
    tokens: null,
    usd_per_million: null,
    rate: null,
    amount_nano: amount,
    amount_usd: usdOf(amount),
    rounding_nano: 0,
  });
  return [
    ...(missing.summed > 0 ? [line('summed', nano)] : []),
    ...(missing.unpriced > 0 ? [line('unpriced', null)] : []),
  ];
}

/** One line of each price: they all tell its calls. */
const byAccount = (lines: readonly StatementLine[]): StatementLine[] => [
  ...new Map(lines.map((line) => [JSON.stringify([line.kind, line.price_id]), line])).values(),
];

/** Models as in the books; of each the prices, the dearest first, and what has none. */
function inOrder(lines: readonly StatementLine[], order: ReadonlyMap<string, number>): StatementLine[] {
  const accountOf = (line: StatementLine): string => JSON.stringify([nameOf(line), line.kind, line.price_id]);
  const amounts = new Map<string, number>();
  for (const line of lines)
    amounts.set(accountOf(line), (amounts.get(accountOf(line)) ?? 0) + (line.amount_nano ?? 0));
  const bucketOf = ({ bucket }: StatementLine): number =>
    bucket === null ? -1 : BILLED_BUCKETS.indexOf(bucket);
  return lines.toSorted(
    (a, b) =>
      (order.get(nameOf(a)) ?? 0) - (order.get(nameOf(b)) ?? 0) ||
      STATEMENT_KINDS.indexOf(a.kind) - STATEMENT_KINDS.indexOf(b.kind) ||
      (amounts.get(accountOf(b)) ?? 0) - (amounts.get(accountOf(a)) ?? 0) ||
      (accountOf(a) < accountOf(b) ? -1 : accountOf(a) > accountOf(b) ? 1 : 0) ||
      bucketOf(a) - bucketOf(b),
  );
}

export const statementRoute = route(
  statementEndpoint,
  async (ctx, { query: { day, environment = null } }, { scope }) =>
    new JsonText(await ctx.db.read(statementRead, [scope.no], { day, environment })),
);
