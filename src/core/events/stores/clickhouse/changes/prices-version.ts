import type { ReadOp } from '../../../../../db/reader.ts';
import { pricesVersion } from '../../../../pricing/index.ts';

/** The version of the prices that an organization has. */
export const pricesVersionRead: ReadOp<null, string> = {
  name: 'events.prices-version',
  run: (reader) => pricesVersion(reader),
};
