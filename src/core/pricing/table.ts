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

/** Catalogues that the operator imported. The newest is in force; without any, the built-in one. */
export const priceCatalogues = sqliteTable('price_catalogues', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  takenAt: integer('taken_at', { mode: 'timestamp_ms' }).notNull(),
  /** The file or URL of the catalogue. */
  source: text('source').notNull(),
  sha256: text('sha256').notNull(),
  /** The list of providers as published. */
  json: text('json').notNull(),
});
