import { defineSubject } from '../audit/index.ts';
import { priceCatalogues, prices } from './table.ts';

/** The fields of a custom price in the audit log. */
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

/** The fields of a catalogue in the audit log. */
export const catalogueSubject = defineSubject('price_catalogue', priceCatalogues, [
  'takenAt',
  'source',
  'sha256',
  'version',
  'date',
  'keyId',
]);
