import type { Ctx } from '../../context.ts';
import { createPricer, type Pricer } from './price-call.ts';

const pricers = new WeakMap<Ctx, Pricer>();

/** The pricer of an open app, with its memory of rates. */
export function pricerOf(ctx: Ctx): Pricer {
  const known = pricers.get(ctx);
  if (known !== undefined) return known;
  const pricer = createPricer();
  pricers.set(ctx, pricer);
  return pricer;
}
