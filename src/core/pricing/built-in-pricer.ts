import { BUILT_IN } from './catalogue.ts';
import { createPricer, type Pricer } from './price-call.ts';

/** Prices calls from the built-in catalogue, for use without a database. */
export const builtInPricer = (): Pricer => createPricer(BUILT_IN);
