import type { ApartKind } from './contract.ts';

/** Names of amounts that are not compared. */
export const APART_NAMES: Readonly<Record<ApartKind, string>> = {
  credit: 'Credit or discount',
  tax: 'Tax',
  restated: 'Correction',
  currency: 'Other currency',
  tool: 'No tokens',
  service: 'Other service',
};
