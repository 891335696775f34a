import { type Pricer, priceSum } from '../../../core/pricing/index.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import type { DriftReason, Reconciliation } from '../contract.ts';
import type { BooksLine, Line } from './add-up.ts';
import { differs, inputOf, type PriceTry, reasonsOf, type Side } from './reasons.ts';

export type OutLine = Reconciliation['lines'][number];
export type Prices = {
  readonly pricer: Pricer;
  readonly now: number;
  readonly usdFrom: Reconciliation['usdFrom'];
};

export const dayText = (day: number): string => formatInstant(day * DAY_MS).slice(0, 10);

/** The two sides of a day or month and a model. */
export function toLine(
  { invoice, books }: { invoice: Line<Side> | undefined; books: BooksLine | undefined },
  prices: Prices,
): OutLine {
  const about = invoice ?? books;
  if (about === undefined) throw new Error('a line of neither side');
  const { day, provider } = about;
  const tries = invoice === undefined ? [] : priceTries(invoice, prices);
  const billed = invoice === undefined ? null : withMoney(invoice, tries, prices.usdFrom);
  const own = books?.side ?? null;
  return {
    day: dayText(day),
    provider,
    model: about.model,
    stored: books?.stored ?? null,
    invoice: billed === null ? null : toSide(billed),
    books: own === null ? null : { ...toSide(own), unpriced: own.unpriced },
    driftUsd: driftOf(billed, own),
    driftTokens: billed !== null && inputOf(billed) === null ? null : tokensOf(own) - tokensOf(billed),
    differs: differs(billed, own),
    reasons: reasonsOf(billed, own, tries),
  };
}

/** A side that is missing is 0, one that does not state its money is unknown. */
function driftOf(billed: Side | null, own: Side | null): number | null {
  const [a, b] = [own === null ? 0 : own.usd, billed === null ? 0 : billed.usd];
  return a === null || b === null ? null : a - b;
}

/** Days around the one of the line whose price may have been taken instead, the day itself first. */
const OTHER_DAYS = [0, -1, 1, -7, 7, -30, 30] as const;

/** What the invoice's tokens would cost by the prices of its day, of the days around, and of today. */
function priceTries({ day, provider, model, side }: Line<Side>, { pricer, now }: Prices): PriceTry[] {
  if (side.fresh === null || side.output === null) return [];
  const buckets = {
    fresh: side.fresh,
    cacheRead: side.cacheRead ?? 0,
    cacheWrite5m: side.cacheWrite ?? 0,
    cacheWrite1h: 0,
    output: side.output,
    reasoning: 0,
  };
  const times = [...OTHER_DAYS.map((offset) => (day + offset) * DAY_MS + DAY_MS / 2), now];
  return times.flatMap((ts) => {
    const priced = priceSum(pricer, { provider, model, ts, buckets, calls: side.calls ?? 1 });
    return priced === null ? [] : [{ day: formatInstant(ts).slice(0, 10), usd: priced.nano / 1e9 }];
  });
}

/** An export of tokens alone gets the money from the prices in force on the day. */
const withMoney = ({ side }: Line<Side>, [first]: readonly PriceTry[], from: Prices['usdFrom']): Side =>
  from === 'export' ? side : { ...side, usd: first?.usd ?? null };

const tokensOf = (side: Side | null): number =>
  side === null ? 0 : (inputOf(side) ?? 0) + (side.output ?? 0);

type OutSide = NonNullable<OutLine['invoice']>;

const toSide = (side: Side): OutSide => ({
  calls: side.calls,
  inputTokens: inputOf(side),
  cachedTokens: side.cacheRead,
  outputTokens: side.output,
  usd: side.usd,
});

/** The sums of what the lines state; null if none does. */
export function totalOf(sides: readonly OutSide[]): OutSide {
  const sum = (of: keyof OutSide): number | null =>
    sides.every((side) => side[of] === null) ? null : sides.reduce((all, side) => all + (side[of] ?? 0), 0);
  return {
    calls: sum('calls'),
    inputTokens: sum('inputTokens'),
    cachedTokens: sum('cachedTokens'),
    outputTokens: sum('outputTokens'),
    usd: sum('usd'),
  };
}

const TEXTS: Readonly<Record<DriftReason, string>> = {
  missing_events: 'Billed calls are missing in the ledger: check the senders and Quarantine',
  duplicates: 'Calls are in the ledger several times: send a stable event_id',
  more_events: 'The ledger has more than was billed: check whether all calls are of this account',
  cache_layout: 'Cached tokens were read differently than the provider counts them: check the sender',
  unpriced_model: 'Models without a price: set one and re-price',
  price_date: 'Stored at the price of another day: re-price',
  rates: 'Billed at different rates: set the agreed prices',
  discount: 'Billed below the list price: set the agreed prices',
  not_on_invoice: 'Calls that are not on the invoice: check whether they are of this account',
  tokens: 'Senders and provider count tokens differently: check the sender',
  day_boundary: 'The export begins its days at another hour than 00:00 UTC: compare whole months',
};

/** The reasons of all lines, largest amount first. */
export function summarise(lines: readonly OutLine[]): Reconciliation['reasons'] {
  const found = new Map<DriftReason, { lines: number; driftUsd: number }>();
  for (const { reasons, driftUsd } of lines) {
    for (const { code } of reasons) {
      const known = found.get(code) ?? { lines: 0, driftUsd: 0 };
      // A line with several reasons counts its money for the first, so that the reasons add up.
      const money = code === reasons[0]?.code ? (driftUsd ?? 0) : 0;
      found.set(code, { lines: known.lines + 1, driftUsd: known.driftUsd + money });
    }
  }
  return [...found]
    .map(([code, of]) => ({ code, ...of, text: TEXTS[code] }))
    .sort((a, b) => Math.abs(b.driftUsd) - Math.abs(a.driftUsd));
}

/** Differences first, the largest amount first. */
export function worstFirst(a: OutLine, b: OutLine): number {
  return (
    Number(b.differs) - Number(a.differs) ||
    Math.abs(b.driftUsd ?? 0) - Math.abs(a.driftUsd ?? 0) ||
    (a.day < b.day ? -1 : a.day > b.day ? 1 : a.model < b.model ? -1 : 1)
  );
}
