import type { Ctx } from '../../context.ts';
import { eventsOf, type LedgerModel } from '../../core/events/index.ts';
import { BILLED_BUCKETS } from '../../core/pricing/contract.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { NO_MODEL } from '../../lib/no-model.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import { STATEMENT_KINDS, type Statement, type StatementLine, statementEndpoint } from './contract.ts';
import { toLines } from './statement-lines.ts';

/** A UTC day, as days since the epoch, and one environment, if one. */
export type StatementInput = { readonly day: number; readonly environment: string | null };

const nanoOf = (usd: number): number => Math.round(usd * 1e9);
const usdOf = (nano: number | null): number | null => (nano === null ? null : nano / 1e9);
const sumOf = (lines: readonly StatementLine[], of: 'calls' | 'amount_nano'): number =>
  lines.reduce((sum, line) => sum + (line[of] ?? 0), 0);

/**
 * A day's statement: bucket × rate = amount of each model and price, what senders stated, what has no price,
 * and the stored total that the lines add up to. The store reads the day's rows.
 */
export async function readStatement(
  ctx: Ctx,
  scope: EventScope,
  { day, environment }: StatementInput,
): Promise<Statement> {
  const window = { from: day * DAY_MS, to: (day + 1) * DAY_MS };
  const ledger = await eventsOf(ctx).ledger(scope, { window, environment });
  const lines = ledger.accounts.flatMap(toLines);
  const models = inModelOrder(ledger.models);
  for (const model of models) lines.push(...deletedLines(model, lines));
  const order = new Map(models.map((model, place) => [nameOf(model), place]));
  const totalNano = models.reduce((sum, { amount_nano }) => sum + (amount_nano ?? 0), 0);
  const linesNano = sumOf(lines, 'amount_nano');
  const sum = (of: 'calls' | 'unpriced'): number => models.reduce((all, model) => all + model[of], 0);
  return {
    day: formatInstant(window.from).slice(0, 10),
    environment,
    lines: inOrder(lines, order),
    models,
    total_nano: totalNano,
    total_usd: totalNano / 1e9,
    lines_nano: linesNano,
    adds_up: linesNano === totalNano,
    calls: sum('calls'),
    unpriced: sum('unpriced'),
  };
}

type ModelTotal = Statement['models'][number];
const nameOf = ({ provider, model }: Pick<ModelTotal, 'provider' | 'model'>): string =>
  JSON.stringify([provider, model]);

/** What is stored for each model, the most expensive first: from the sums that stay when rows go. */
function inModelOrder(models: readonly LedgerModel[]): ModelTotal[] {
  return models
    .map(({ provider, model, cost, requests, unpriced }) => {
      const nano = requests === unpriced ? null : nanoOf(cost);
      const name = { provider, model: model ?? NO_MODEL };
      return { ...name, calls: requests, unpriced, amount_nano: nano, amount_usd: usdOf(nano) };
    })
    .sort((a, b) => (b.amount_nano ?? -1) - (a.amount_nano ?? -1) || b.calls - a.calls);
}

/** What is stored for a model and no longer in rows, since retention has deleted them. */
function deletedLines(total: ModelTotal, lines: readonly StatementLine[]): StatementLine[] {
  const own = lines.filter((line) => nameOf(line) === nameOf(total));
  const priced = byAccount(own.filter(({ kind }) => kind !== 'unpriced'));
  const unpriced = own.filter(({ kind }) => kind === 'unpriced');
  const nano = (total.amount_nano ?? 0) - sumOf(own, 'amount_nano');
  const missing = {
    summed: total.calls - total.unpriced - sumOf(priced, 'calls'),
    unpriced: total.unpriced - sumOf(unpriced, 'calls'),
  };
  const line = (kind: 'summed' | 'unpriced', amount: number | null): StatementLine => ({
    provider: total.provider,
    model: total.model,
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

/** Models in their order; of each the prices, the dearest first, and what has none. */
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
  (ctx, { query: { day, environment = null } }, { scope }) =>
    readStatement(ctx, ofProject(scope), { day, environment }),
);
