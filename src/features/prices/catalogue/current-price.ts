import type { PriceInput } from '../../../core/pricing/contract.ts';
import type { ModelPrices } from './contract.ts';

/** Rates and tiers, as a custom price states them. */
export type CurrentPrice = Pick<PriceInput, 'rates' | 'tiers'>;

/** The price of a model now with its tiers, so that a custom price can start from it; null without one. */
export function currentPrice({ inForce, custom, listed }: ModelPrices): CurrentPrice | null {
  if (inForce === null) return null;
  const own = custom.find(({ id }) => id === inForce.reference);
  if (own !== undefined) return { rates: own.rates, tiers: own.tiers };
  const { rates } = inForce;
  const period = listed.find((one) => JSON.stringify(one.rates) === JSON.stringify(rates));
  return { rates, tiers: period?.tiers ?? [] };
}
