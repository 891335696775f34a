import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { organizations } from '../orgs/table.ts';
import { PRICE_MATCHES } from './contract.ts';

/** Custom prices of organizations, which replace the catalogue's; see `PriceOverride`. */
export const prices = sqliteTable(
  'prices',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    /** Null matches any provider. */
    provider: text('provider'),
    match: text('match', { enum: PRICE_MATCHES }).notNull(),
    model: text('model').notNull(),
    /** JSON of `overrideRatesSchema` and of the tiers. */
    rates: text('rates', { mode: 'json' }).notNull(),
    tiers: text('tiers', { mode: 'json' }).notNull(),
    serviceTier: text('service_tier'),
    effectiveFrom: integer('effective_from', { mode: 'timestamp_ms' }),
    effectiveUntil: integer('effective_until', { mode: 'timestamp_ms' }),
    note: text('note'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('prices_organization').on(table.organizationId)],
);

/** Catalogues that were put in force. The newest is in force; without any, the built-in one. */
export const priceCatalogues = sqliteTable('price_catalogues', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  takenAt: integer('taken_at', { mode: 'timestamp_ms' }).notNull(),
  /** The file or URL of the catalogue. */
  source: text('source').notNull(),
  sha256: text('sha256').notNull(),
  /** A `PricePack`; in older rows the list of providers as genai-prices publishes it. */
  json: text('json').notNull(),
  /** Null in older rows, whose list has no version. */
  version: text('version'),
  /** The day as of which these are the published prices, `YYYY-MM-DD`. */
  date: text('date'),
  /** Who put it in force, as the audit log names actors. */
  takenBy: text('taken_by'),
  /** Id of the key that signed it; null if it was not signed by a trusted key. */
  keyId: text('key_id'),
});

/** What each catalogue changed about a model, for the history of its price. */
export const priceChanges = sqliteTable(
  'price_changes',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    catalogueId: integer('catalogue_id').notNull(),
    at: integer('at', { mode: 'timestamp_ms' }).notNull(),
    /** The catalogue's version. */
    version: text('version').notNull(),
    provider: text('provider').notNull(),
    model: text('model').notNull(),
    change: text('change', { enum: ['added', 'changed', 'ended'] }).notNull(),
    /** JSON of a list of `RateChange`. */
    rates: text('rates', { mode: 'json' }).notNull(),
    note: text('note'),
  },
  (table) => [index('price_changes_model').on(table.provider, table.model)],
);
