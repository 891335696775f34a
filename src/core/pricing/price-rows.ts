import { formatInstant } from '../../lib/time.ts';
import { BUILT_IN, type Catalogue } from './catalogue.ts';
import type { PriceOverride, PriceRow } from './contract.ts';
import { catalogueOfPack, type PricePack } from './packs/pack.ts';
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

/** A stored catalogue; it was validated when it was put in force. */
export function toCatalogue(row: StoredCatalogue): Catalogue {
  const stored = JSON.parse(row.json) as PricePack | Catalogue['providers'];
  const day = formatInstant(row.takenAt).slice(0, 10);
  if (!('format' in stored)) {
    const version = `genai-prices of ${day} (${row.sha256.slice(0, 8)})`;
    return { version, date: day, providers: stored, aliases: BUILT_IN.aliases };
  }
  // An empty pack puts the built-in catalogue in force again.
  if (stored.providers.length === 0 && stored.aliases === undefined) return BUILT_IN;
  return catalogueOfPack(stored, `${stored.version} (${row.sha256.slice(0, 8)})`);
}

/** `takenAt` in epoch milliseconds. */
type StoredCatalogue = { readonly takenAt: number; readonly sha256: string; readonly json: string };
