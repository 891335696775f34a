import { objectAt, type RawUsage } from './raw-usage.ts';

/** Gateways and providers whose replies state in US dollars what they charge. */
const STATING: ReadonlySet<string> = new Set(['openrouter', 'perplexity']);
/** The same limit as for the event's own field. */
const MOST_USD = 10_000;

const amount = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= MOST_USD ? value : null;

/**
 * What the provider says it charges for a call, in US dollars: OpenRouter's `usage.cost` (with an own key of the upstream
 * provider, also that provider's `cost_details.upstream_inference_cost`; openrouter.ai/docs, Usage Accounting) and
 * Perplexity's `usage.cost.total_cost`. Null if it says nothing.
 */
export function statedCost(provider: string | null, usage: RawUsage | null): number | null {
  if (usage === null || !STATING.has(provider?.trim().toLowerCase() ?? '')) return null;
  const own = amount(usage.cost) ?? amount(objectAt(usage, 'cost').total_cost);
  if (own === null || usage.is_byok !== true) return own;
  return own + (amount(objectAt(usage, 'cost_details').upstream_inference_cost) ?? 0);
}
