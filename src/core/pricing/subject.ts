import { defineSubject } from '../audit/index.ts';
import { priceCatalogues, prices } from './table.ts';

/** What the audit log shows of an organization's price. */
export const priceSubject = defineSubject('price', prices, [
  'provider',
  'match',
  'model',
  'rates',
  'tiers',
  'serviceTier',
  'effectiveFrom',
  'effectiveUntil',
  'note',
]);

/** What the audit log shows of a catalogue that was taken. */
export const catalogueSubject = defineSubject('price_catalogue', priceCatalogues, [
  'takenAt',
  'source',
  'sha256',
]);
