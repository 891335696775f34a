import type { LedgerAccount } from '../../core/events/index.ts';
import { BILLED_BUCKETS } from '../../core/pricing/contract.ts';
import { readyPrice } from '../../core/pricing/index.ts';
import { NO_MODEL } from '../../lib/no-model.ts';
import type { StatementLine } from './contract.ts';

/** The lines of an account: one for each bucket that was billed, or one without a price. */
export function toLines({
  provider,
  model,
  kind,
  price,
  calls,
  tokens,
  nano,
  buckets,
}: LedgerAccount): StatementLine[] {
  const of = { provider, model: model ?? NO_MODEL, kind, price_id: price?.id ?? null, calls };
  if (price === null) {
    const amount = kind === 'unpriced' ? null : nano;
    return [
      { ...of, ...NO_PRICE, tokens, amount_nano: amount, amount_usd: amount === null ? null : amount / 1e9 },
    ];
  }
  const { rates: keys, ...applied } = price.applied;
  // Calls that failed before they used anything cost nothing, and are calls all the same.
  if (buckets.length === 0)
    return [{ ...of, ...NO_PRICE, price: applied, tokens, amount_nano: 0, amount_usd: 0 }];
  const { rates } = readyPrice(price.applied);
  const inOrder = buckets.toSorted(
    (a, b) => BILLED_BUCKETS.indexOf(a.bucket) - BILLED_BUCKETS.indexOf(b.bucket),
  );
  return inOrder.map(({ bucket, ...sums }) => {
    const rate = rates[bucket];
    return {
      ...of,
      bucket,
      price: applied,
      tokens: sums.tokens,
      usd_per_million: rate?.usdPerMillion ?? null,
      rate: keys[bucket]?.key ?? null,
      amount_nano: sums.nano,
      amount_usd: sums.nano / 1e9,
      rounding_nano: rate === undefined ? 0 : roundingOf(sums.tokens, rate.exact, sums.nano),
    };
  });
}

const NO_PRICE = { bucket: null, price: null, usd_per_million: null, rate: null, rounding_nano: 0 } as const;

/** What rounding each call added: the amount less tokens × rate, in nano-dollars. */
function roundingOf(
  tokens: number,
  { numerator, denominator }: { readonly numerator: bigint; readonly denominator: bigint },
  nano: number,
): number {
  return Number(BigInt(nano) * denominator - BigInt(tokens) * numerator) / Number(denominator);
}
