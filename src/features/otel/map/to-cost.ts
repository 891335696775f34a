import { type AttributeValue, isObject } from '../read/attributes.ts';
import { parsed, toNumber } from '../read/source.ts';

/** Same limit as `cost_usd` of a native event. */
const MOST_USD = 10_000;

/**
 * US dollars: an amount, or of Langfuse's cost_details the total, or the sum of the parts without a total. Zero of these
 * counts as missing, because the OpenAI wrapper writes it on each failed call.
 */
export function toCost(value: unknown): number | null {
  const details = parsed(value as AttributeValue);
  if (typeof details === 'number') return details >= 0 && details <= MOST_USD ? details : null;
  if (!isObject(details)) return null;
  const costs = Object.values(details).map(toNumber);
  const sum = toNumber(details.total) ?? costs.reduce<number>((total, cost) => total + (cost ?? 0), 0);
  return sum > 0 && sum <= MOST_USD ? sum : null;
}
