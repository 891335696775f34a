import { pricesVersion } from '../../../../pricing/index.ts';
import { readOp } from '../../sqlite/read-op.ts';

/** The version of the prices that an organization has. */
export const pricesVersionRead = readOp('prices-version', (reader): string => pricesVersion(reader));
