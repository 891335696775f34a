import { formatInstant } from '../../lib/time.ts';
import type { Catalogue } from './catalogue.ts';
import type { PriceOverride, PriceRow } from './contract.ts';
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

const iso = (time: Date | null): string | null => (time === null ? null : formatInstant(time.getTime()));

/** A stored override as the API returns it. */
export const toPriceRow = (row: StoredPrice): PriceRow => ({
  id: row.id,
  organizationId: row.organizationId,
  provider: row.provider,
  match: row.match,
  model: row.model,
  rates: row.rates as PriceRow['rates'],
  tiers: row.tiers as PriceRow['tiers'],
  serviceTier: row.serviceTier,
  currency: 'USD',
  effectiveFrom: iso(row.effectiveFrom),
  effectiveUntil: iso(row.effectiveUntil),
  note: row.note,
  createdAt: formatInstant(row.createdAt.getTime()),
  updatedAt: formatInstant(row.updatedAt.getTime()),
});

/** A stored catalogue; it was validated when it was imported. */
export const toCatalogue = (row: { takenAt: number; sha256: string; json: string }): Catalogue => ({
  version: `genai-prices of ${formatInstant(row.takenAt).slice(0, 10)} (${row.sha256.slice(0, 8)})`,
  providers: JSON.parse(row.json) as Catalogue['providers'],
});
