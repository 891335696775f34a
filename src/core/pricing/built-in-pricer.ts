import { BUILT_IN } from './catalogue.ts';
import { createPricer, type Pricer } from './price-call.ts';

/** Prices by the built-in catalogue, where there is no ledger with a catalogue or prices of its own. */
export const builtInPricer = (): Pricer => createPricer(BUILT_IN);
