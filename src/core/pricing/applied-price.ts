import type { BilledBucket } from './contract.ts';
import { amountNano, divided, type Rate, toRate } from './rate.ts';
import type { UsageBuckets } from './usage/buckets.ts';
import { MEDIA_PARTS, type MediaPart, PARENTS } from './usage/modalities.ts';
import type { UsageExtras } from './usage/usage-extras.ts';

/** US dollars per million units (of `audioSeconds` per million hours), and the key of the price list that it came from. */
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
  /** The service tier and other modifiers of the call in words, and their factor on the listed rates. */
  readonly service_tier: string | null;
  readonly factor: number;
  /** Why the cost is an estimate; null if it is not. */
  readonly note: string | null;
  readonly rates: Readonly<Partial<Record<BilledBucket, ListedRate>>>;
};

/**
 * One line of a cost: `tokens` × `usdPerMillion` = `amount_nano`. `tokens` of requests, searches, pages and seconds are
 * their count.
 */
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
  const rates = Object.entries(price.rates).map(([bucket, { usd }]) => [
    bucket,
    bucket === 'audioSeconds' ? divided(toRate(usd), SECONDS_PER_HOUR) : toRate(usd),
  ]);
  const tokensAreFree = BUCKETS.every((bucket) => (price.rates[bucket]?.usd ?? 0) === 0);
  return { price, rates: Object.fromEntries(rates), tokensAreFree };
}

const SECONDS_PER_HOUR = 3600;
const BUCKETS = ['fresh', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const;

/** What a call is billed for. */
export type Bill = {
  readonly lines: PriceLine[];
  /** Names of quantities that have no rate of their own: the cost without them is only an estimate. */
  readonly unbilled: readonly string[];
};

type How = { readonly extras: UsageExtras | null; readonly answered: boolean };

/** The lines of a call's cost as of `billOf`, or null if a used bucket has no rate. */
export const linesOf = (ready: ReadyPrice, buckets: UsageBuckets, how: How): PriceLine[] | null =>
  billOf(ready, buckets, how)?.lines ?? null;

/**
 * The bill of a call, or null if a used bucket has no rate. Media with an own rate are subtracted from the bucket that
 * includes them. A call without tokens pays the fee per request only if that fee is the complete price.
 */
export function billOf(ready: ReadyPrice, buckets: UsageBuckets, { extras, answered }: How): Bill | null {
  const { price, rates } = ready;
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
  const { media, rest, unbilled } = splitMedia(ready, buckets, extras);
  for (const bucket of BUCKETS) if (!add(bucket, rest[bucket])) return null;
  for (const [part, count] of media) add(part, count);
  if (extras !== null) {
    for (const [bucket, name] of OTHERS) if (!add(bucket, extras[bucket])) unbilled.push(name);
    unbilled.push(...extras.unread);
  }
  // A call without tokens failed or was refused, so it pays no fee.
  if (rates.request !== undefined && (lines.length > 0 || answered)) add('request', 1);
  return { lines, unbilled };
}

/** Quantities beside the tokens, and their names. */
const OTHERS = [
  ['audioSeconds', 'seconds of audio'],
  ['pages', 'pages'],
  ['citations', 'citation tokens'],
  ['webSearch', 'web searches'],
] as const;

const MEDIA_NAMES: Readonly<Record<MediaPart, string>> = {
  audioInput: 'audio input',
  imageInput: 'image input',
  videoInput: 'video input',
  audioCached: 'cached audio',
  imageCached: 'cached images',
  audioOutput: 'audio output',
  imageOutput: 'image output',
  videoOutput: 'video output',
};

/** The first bucket of tokens that a call used and that has no rate; null if all have one. */
export function missingBucket(
  ready: ReadyPrice,
  buckets: UsageBuckets,
  extras: UsageExtras | null,
): BilledBucket | null {
  const { rest } = splitMedia(ready, buckets, extras);
  return BUCKETS.find((bucket) => rest[bucket] > 0 && ready.rates[bucket] === undefined) ?? null;
}

/** Takes media with an own rate out of their buckets. What exceeds its bucket contradicts it. */
function splitMedia(
  { rates, tokensAreFree }: ReadyPrice,
  buckets: UsageBuckets,
  extras: UsageExtras | null,
): { media: [MediaPart, number][]; rest: UsageBuckets; unbilled: string[] } {
  const parts = extras?.media ?? null;
  if (parts === null) return { media: [], rest: buckets, unbilled: [] };
  const rest = { ...buckets };
  const media: [MediaPart, number][] = [];
  const unbilled: string[] = [];
  for (const part of MEDIA_PARTS) {
    const count = parts[part];
    if (count === 0) continue;
    const own = Math.min(count, rest[PARENTS[part]]);
    if (rates[part] !== undefined) {
      rest[PARENTS[part]] -= own;
      media.push([part, own]);
    }
    if ((rates[part] === undefined && !tokensAreFree) || own < count) unbilled.push(MEDIA_NAMES[part]);
  }
  return { media, rest, unbilled };
}

/** The sum of lines, in nano-dollars. */
export function sumOf(lines: readonly PriceLine[]): number {
  let sum = 0;
  for (const line of lines) sum += line.amount_nano;
  return sum;
}
