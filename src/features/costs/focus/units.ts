import type { PriceLine } from '../../../core/pricing/index.ts';
import { BUCKETS } from '../bucket-names.ts';

type Bucket = PriceLine['bucket'];

/**
 * How a bucket is counted and priced: the unit that was used, the unit that has the price, and how many of the first are
 * one of the second. The names follow the specification's unit format.
 */
export type BilledUnit = {
  readonly consumed: string;
  readonly pricing: string;
  readonly per: bigint;
  readonly meter: string;
};

const MILLION_TOKENS = { consumed: 'Tokens', pricing: '1000000 Tokens', per: 1_000_000n } as const;

/** Prices of these are listed by a thousand, or by the hour. */
const OTHERS: Readonly<Partial<Record<Bucket, Omit<BilledUnit, 'meter'>>>> = {
  audioSeconds: { consumed: 'Seconds', pricing: 'Hours', per: 3600n },
  pages: { consumed: 'Pages', pricing: '1000 Pages', per: 1_000n },
  webSearch: { consumed: 'Searches', pricing: '1000 Searches', per: 1_000n },
  request: { consumed: 'Requests', pricing: '1000 Requests', per: 1_000n },
};

export const unitOf = (bucket: Bucket): BilledUnit => ({
  ...(OTHERS[bucket] ?? MILLION_TOKENS),
  meter: BUCKETS[bucket],
});
