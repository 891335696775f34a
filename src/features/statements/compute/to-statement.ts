import { toDecimal } from '../../../lib/billing/decimal.ts';
import type { Statement, StatementLine, StatementSettings } from '../contract.ts';
import type { Account, Party, PartySums, Row } from '../ledger/ledger-table.ts';
import { type Money, moneyOf } from './amounts.ts';
import { type BareLine, toLines } from './to-lines.ts';

/** Corrections of a month that was closed before, at its own markup and rate. */
export type Correction = {
  readonly month: string;
  readonly settings: StatementSettings;
  readonly accounts: readonly Account[];
  readonly rows: readonly Row[];
};

/** A party's calls of a month, and what it owes or gets back for earlier months. */
export type Owed = {
  readonly party: Party;
  readonly rows: readonly Row[];
  readonly corrections: readonly Correction[];
};

/** What all statements of a month share. */
export type MonthHead = Pick<
  Statement,
  'organizationId' | 'organization' | 'by' | 'month' | 'status' | 'closedAt'
> & {
  readonly settings: StatementSettings;
  readonly accounts: readonly Account[];
  nameOf(party: Party): string;
};

/** A line with its exact amount. */
type Exact = { readonly line: BareLine; readonly amount: bigint };

const NO_CALLS = {
  projectId: null,
  provider: null,
  model: null,
  kind: null,
  bucket: null,
  price: null,
  usdPerMillion: null,
  quantity: null,
  calls: null,
  amountNano: null,
} as const;

/** A statement: the lines, which add up to its total, and its sums in nano-dollars, which are those of the ledger. */
export function toStatement(
  head: MonthHead,
  { party, rows, corrections }: Owed,
  number: string | null,
): Statement {
  const { settings, accounts, nameOf, ...shown } = head;
  const money = moneyOf(settings);
  const usage = toLines(rows, { type: 'usage', month: head.month, accounts });
  const own = [
    ...priced(usage, money),
    ...markupOf(usage, { type: 'markup', month: head.month, settings, money }),
  ];
  const hasCalls = rows.some(({ calls }) => calls > 0);
  const charged = [...own, ...feesOf(head, { party, hasCalls, due: sumOf(own), money })];
  const corrected = corrections.flatMap((one) => correctionsOf(one, settings));
  const all = [...charged, ...corrected];
  const { parts, total } = money.split(all.map(({ amount }) => amount));
  const lines = all.map(
    ({ line }, place): StatementLine => ({ ...line, amount: toDecimal(parts[place] ?? 0n, money.decimals) }),
  );
  return {
    ...shown,
    ...sumsOf(rows, accounts, corrections),
    party: party.name,
    projectId: party.projectId,
    name: nameOf(party),
    number,
    currency: settings.currency,
    rate: settings.rate,
    markupPercent: settings.markupPercent,
    letterhead: settings.letterhead,
    lines,
    total: toDecimal(total, money.decimals),
  };
}

/** The sums of a party, and of what is corrected of earlier months. */
export type OwedSums = {
  readonly party: Party;
  readonly own: PartySums;
  readonly corrections: readonly (Pick<Correction, 'settings'> & { readonly lines: number })[];
};

/** The total of a statement as a whole number of the smallest units, from sums alone. */
export function totalOf(head: Pick<MonthHead, 'month' | 'settings'>, sums: OwedSums): bigint {
  const { party, own, corrections } = sums;
  const money = moneyOf(head.settings);
  const due = chargeOf(own.lines, money);
  const fees = sumOf(feesOf(head, { party, hasCalls: own.hasCalls, due, money }));
  return money.rounded(
    corrections.reduce(
      (sum, one) => sum + chargeOf(one.lines, moneyOf(appliedTo(one, head.settings))),
      due + fees,
    ),
  );
}

/** A cost with its markup. */
const chargeOf = (nano: number, money: Money): bigint => money.cost(nano) + money.markup(nano);
const sumOf = (exact: readonly Exact[]): bigint => exact.reduce((sum, { amount }) => sum + amount, 0n);

const nanoOf = (rows: readonly Row[]): number => rows.reduce((sum, { nano }) => sum + nano, 0);

/** Sums of a party in nano-dollars and calls. */
const sumsOf = (
  rows: readonly Row[],
  accounts: readonly Account[],
  corrections: readonly Correction[],
): Pick<Statement, 'calls' | 'unpriced' | 'costNano' | 'correctionsNano'> => ({
  calls: rows.reduce((sum, { calls }) => sum + calls, 0),
  unpriced: rows.reduce(
    (sum, { account, calls }) => sum + (accounts[account]?.kind === 'unpriced' ? calls : 0),
    0,
  ),
  costNano: nanoOf(rows),
  correctionsNano: corrections.reduce((sum, one) => sum + nanoOf(one.rows), 0),
});

const priced = (lines: readonly BareLine[], money: Money): Exact[] =>
  lines.map((line) => ({ line, amount: money.cost(line.amountNano ?? 0) }));

type Markup = {
  readonly type: 'markup' | 'correctionMarkup';
  readonly month: string;
  readonly settings: StatementSettings;
  readonly money: Money;
};

function markupOf(lines: readonly BareLine[], { type, month, settings, money }: Markup): Exact[] {
  const nano = lines.reduce((sum, { amountNano }) => sum + (amountNano ?? 0), 0);
  if (settings.markupPercent === 0 || nano === 0) return [];
  const of = type === 'markup' ? '' : ` on corrections of ${month}`;
  const text = `Markup of ${settings.markupPercent} %${of}`;
  return [{ line: { ...NO_CALLS, type, month, text }, amount: money.markup(nano) }];
}

type Charged = Pick<Owed, 'party'> & {
  readonly hasCalls: boolean;
  readonly due: bigint;
  readonly money: Money;
};

/** Fees and the minimum of a party with calls in the month; calls without a party pay neither. */
function feesOf(
  { month, settings }: Pick<MonthHead, 'month' | 'settings'>,
  { party, hasCalls, due: own, money }: Charged,
): Exact[] {
  if (party.name === null || !hasCalls) return [];
  const fees = settings.fees.map(
    ({ name, amount }): Exact => ({
      line: { ...NO_CALLS, type: 'fee', month, text: name },
      amount: money.stated(amount),
    }),
  );
  if (settings.minimum === null) return fees;
  const due = money.rounded(own + sumOf(fees));
  const missing = money.rounded(money.stated(settings.minimum)) - due;
  if (missing <= 0n) return fees;
  const text = `Up to the minimum of ${settings.minimum} ${settings.currency}`;
  return [...fees, { line: { ...NO_CALLS, type: 'minimum', month, text }, amount: money.exactOf(missing) }];
}

/** The markup and rate with which a month was billed, or the present rate if the currency has changed. */
const appliedTo = (
  { settings }: Pick<Correction, 'settings'>,
  { currency, rate }: StatementSettings,
): StatementSettings => (settings.currency === currency ? settings : { ...settings, currency, rate });

function correctionsOf({ month, settings, accounts, rows }: Correction, now: StatementSettings): Exact[] {
  const applied = appliedTo({ settings }, now);
  const money = moneyOf(applied);
  const lines = toLines(rows, { type: 'correction', month, accounts });
  return [
    ...priced(lines, money),
    ...markupOf(lines, { type: 'correctionMarkup', month, settings: applied, money }),
  ];
}
