import { amountNano, type Rate, toRate } from './rate.ts';
import type { UsageBuckets } from './usage/buckets.ts';
import type { UsageExtras } from './usage/usage-extras.ts';

/** Billed quantities: token buckets, audio within them, searches, and a fee per request. */
export type BilledBucket = keyof UsageBuckets | 'audioInput' | 'audioOutput' | 'webSearch' | 'request';

/** US dollars per million units, and the key of the price list that it came from. */
export type ListedRate = { readonly usd: number; readonly key: string };

/**
 * The complete price of a call. It is stored once for all events that it priced, so that their cost can be
 * recomputed to the nano-dollar even if the price list changes.
 */
export type AppliedPrice = {
  readonly source: 'catalogue' | 'override';
  /** The catalogue's version, or the id of the override. */
  readonly reference: string;
  /** As named by the source; a null provider matches any. */
  readonly provider: string | null;
  readonly model: string;
  /** Validity as ISO 8601 (UTC), from inclusive, until exclusive; null without a bound. */
  readonly effective_from: string | null;
  readonly effective_until: string | null;
  /** Hours of the day, as `00:30:00Z/16:30:00Z`; null if it is valid all day. */
  readonly daily: string | null;
  /** The tier applies to calls with more input tokens than this; null below the first tier. */
  readonly context_above: number | null;
  /** The provider's service tier of the call, and its factor on the listed rates. */
  readonly service_tier: string | null;
  readonly factor: number;
  /** Why the cost is an estimate; null if it is not. */
  readonly note: string | null;
  readonly rates: Readonly<Partial<Record<BilledBucket, ListedRate>>>;
};

/** One line of a cost: `tokens` × `usdPerMillion` = `amount_nano` (for requests and searches, their count). */
export type PriceLine = {
  readonly bucket: BilledBucket;
  readonly tokens: number;
  /** US dollars per million tokens. */
  readonly usdPerMillion: number;
  /** Nano-dollars (10^-9 USD), an integer, rounded half up. */
  readonly amount_nano: number;
  /** The price list's key that gave the rate; `free` if the model is listed without any price. */
  readonly rate: string;
};

/** A price prepared for multiplication. */
export type ReadyPrice = {
  readonly price: AppliedPrice;
  readonly rates: Readonly<Partial<Record<BilledBucket, Rate>>>;
  /** True if tokens cost nothing, so that their counts do not matter. */
  readonly tokensAreFree: boolean;
};

/** Parses the rates of a price once. */
export function readyPrice(price: AppliedPrice): ReadyPrice {
  const rates = Object.entries(price.rates).map(([bucket, { usd }]) => [bucket, toRate(usd)]);
  const tokensAreFree = BUCKETS.every((bucket) => (price.rates[bucket]?.usd ?? 0) === 0);
  return { price, rates: Object.fromEntries(rates), tokensAreFree };
}

const BUCKETS = ['fresh', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const;

/**
 * The lines of a call's cost, or null if a used quantity has no rate. Audio with its own rate is subtracted from the
 * bucket that includes it. A call without tokens pays the fee per request only if that fee is the complete price.
 */
export function linesOf(
  { price, rates }: ReadyPrice,
  buckets: UsageBuckets,
  { extras, answered }: { readonly extras: UsageExtras | null; readonly answered: boolean },
): PriceLine[] | null {
  const lines: PriceLine[] = [];
  const add = (bucket: BilledBucket, count: number): boolean => {
    if (count <= 0) return true;
    const rate = rates[bucket];
    if (rate === undefined) return false;
    const key = price.rates[bucket]?.key ?? '';
    const amount_nano = amountNano(rate, count);
    lines.push({ bucket, tokens: count, usdPerMillion: rate.usdPerMillion, amount_nano, rate: key });
    return true;
  };
  const audioInput = within(rates.audioInput, extras?.audioInput, buckets.fresh);
  const audioOutput = within(rates.audioOutput, extras?.audioOutput, buckets.output);
  for (const bucket of BUCKETS) {
    const audio = bucket === 'fresh' ? audioInput : bucket === 'output' ? audioOutput : 0;
    if (!add(bucket, buckets[bucket] - audio)) return null;
  }
  add('audioInput', audioInput);
  add('audioOutput', audioOutput);
  if (rates.webSearch !== undefined) add('webSearch', extras?.webSearches ?? 0);
  // A call without tokens failed or was refused, so it pays no fee.
  if (rates.request !== undefined && (lines.length > 0 || answered)) add('request', 1);
  return lines;
}

const within = (rate: Rate | undefined, count: number | undefined, whole: number): number =>
  rate === undefined ? 0 : Math.min(count ?? 0, whole);

/** The sum of lines, in nano-dollars. */
export function sumOf(lines: readonly PriceLine[]): number {
  let sum = 0;
  for (const line of lines) sum += line.amount_nano;
  return sum;
}
