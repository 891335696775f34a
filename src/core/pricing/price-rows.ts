import { formatInstant } from '../../lib/time.ts';
import type { Catalogue } from './catalogue.ts';
import type { PriceOverride } from './contract.ts';
import type { prices } from './table.ts';

type StoredPrice = typeof prices.$inferSelect;

/** A stored override as pricing uses it. */
export const toOverride = (row: StoredPrice): PriceOverride => ({
  id: row.id,
  provider: row.provider,
  match: row.match,
  model: row.model,
  rates: row.rates as PriceOverride['rates'],
  tiers: row.tiers as PriceOverride['tiers'],
  serviceTier: row.serviceTier,
  effectiveFrom: row.effectiveFrom?.getTime() ?? null,
  effectiveUntil: row.effectiveUntil?.getTime() ?? null,
});

/** A stored catalogue; it was checked when it was taken. */
export const toCatalogue = (row: { takenAt: number; sha256: string; json: string }): Catalogue => ({
  version: `genai-prices of ${formatInstant(row.takenAt).slice(0, 10)} (${row.sha256.slice(0, 8)})`,
  providers: JSON.parse(row.json) as Catalogue['providers'],
});
