import { defineEvent } from '../../context.ts';

/** The prices of an organization or the catalogue changed. */
export const pricesChanged = defineEvent('prices.changed');
