import { type AppliedPrice, linesOf, type PriceLine, readyPrice, sumOf } from './applied-price.ts';
import { BUILT_IN } from './catalogue.ts';
import { catalogueProvider } from './catalogue-provider.ts';
import { findModel } from './find-model.ts';
import type { Pricer } from './price-call.ts';
import type { UsageBuckets } from './usage/buckets.ts';

/** The total tokens of several calls. */
export type SummedCalls = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly ts: number;
  readonly buckets: UsageBuckets;
  readonly calls: number;
};

/**
 * The cost of several calls of which only totals are known. Each call is assumed to have the mean size, which decides
 * the tier. Null without a price.
 */
export function priceSum(
  pricer: Pricer,
  { provider, model, ts, buckets, calls }: SummedCalls,
): { readonly nano: number; readonly lines: readonly PriceLine[]; readonly price: AppliedPrice } | null {
  const many = Math.max(1, calls);
  const mean = Object.fromEntries(
    Object.entries(buckets).map(([bucket, tokens]) => [bucket, Math.ceil(tokens / many)]),
  ) as UsageBuckets;
  const one = pricer.priceCall({ provider, model, ts, buckets: mean, answered: true });
  if (one.status === 'unpriced') return null;
  const lines = linesOf(readyPrice(one.price), buckets, { extras: null, answered: true });
  if (lines === null) return null;
  const fees = lines.filter(({ bucket }) => bucket === 'request');
  const all = [
    ...lines.filter(({ bucket }) => bucket !== 'request'),
    ...fees.map((fee) => ({ ...fee, tokens: many, amount_nano: fee.amount_nano * many })),
  ];
  return { nano: sumOf(all), lines: all, price: one.price };
}

/** Canonical names, so that an invoice and the ledger name a model alike: dated names and aliases become one. */
export function canonicalModel(
  provider: string | null,
  model: string,
): { readonly provider: string | null; readonly model: string } {
  const found = findModel(BUILT_IN, provider, model);
  if (typeof found !== 'string') return { provider: found.provider, model: found.model.id };
  const plain = model.trim().toLowerCase();
  if (provider === null) return { provider: null, model: plain };
  return { provider: catalogueProvider(BUILT_IN, provider) ?? provider.trim().toLowerCase(), model: plain };
}
