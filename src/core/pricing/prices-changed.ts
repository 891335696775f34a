import { defineEvent } from '../../context.ts';

/** Emitted when the prices of an organization or the catalogue change. */
export const pricesChanged = defineEvent('prices.changed', 'all');
