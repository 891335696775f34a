import type { Reader, ReaderPart } from '../../db/reader.ts';
import { BUILT_IN, type Catalogue } from './catalogue.ts';
import type { PriceOverride } from './contract.ts';
import { createPricer, type Pricer } from './price-call.ts';
import { toCatalogue } from './price-rows.ts';

/** The latest pricer and its prices: most reads of a process need the same prices. */
type Made = { readonly text: string; readonly version: string; readonly pricer: Pricer };
type Memory = { last: Made | null; taken: { readonly id: number; readonly catalogue: Catalogue } | null };
const memory: ReaderPart<Memory> = { open: () => ({ last: null, taken: null }) };

/**
 * The pricer of the scope's organization for reads, with the prices of their snapshot. The reader must be opened for the
 * organization; otherwise its custom prices would be hidden.
 */
export const readPricer = (reader: Reader): Pricer => make(reader).pricer;

/** Identifies the prices that `readPricer` uses. */
export const pricesVersion = (reader: Reader): string => make(reader).version;

function make(reader: Reader): Made {
  if (reader.organizationId === null) throw new Error('readPricer needs a reader of an organization');
  const catalogue = readCatalogue(reader);
  const rows = reader.all<Record<string, unknown>>(
    'SELECT id, provider, match, model, rates, tiers, service_tier, effective_from, effective_until FROM prices',
  );
  const text = JSON.stringify([catalogue.version, rows]);
  const kept = reader.share(memory);
  if (kept.last?.text === text) return kept.last;
  const version = Bun.hash(text).toString(36);
  kept.last = { text, version, pricer: createPricer(catalogue, rows.map(toOverride)) };
  return kept.last;
}

function readCatalogue(reader: Reader): Catalogue {
  const [newest] = reader.rows('SELECT max(id) FROM price_catalogues');
  const id = newest?.[0] ?? null;
  if (id === null) return BUILT_IN;
  const kept = reader.share(memory);
  if (kept.taken?.id !== Number(id)) {
    const [row] = reader.all<{ takenAt: number; sha256: string; json: string }>(
      'SELECT taken_at AS takenAt, sha256, json FROM price_catalogues WHERE id = ?',
      [id],
    );
    if (row === undefined) return BUILT_IN;
    kept.taken = { id: Number(id), catalogue: toCatalogue(row) };
  }
  return kept.taken.catalogue;
}

function toOverride(row: Record<string, unknown>): PriceOverride {
  return {
    id: row.id as string,
    provider: row.provider as string | null,
    match: row.match as PriceOverride['match'],
    model: row.model as string,
    rates: JSON.parse(row.rates as string),
    tiers: JSON.parse(row.tiers as string),
    serviceTier: row.service_tier as string | null,
    effectiveFrom: row.effective_from as number | null,
    effectiveUntil: row.effective_until as number | null,
  };
}
