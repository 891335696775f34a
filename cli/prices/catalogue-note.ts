import type { CatalogueState } from '../../src/core/pricing/packs/contract.ts';
import { number } from '../format.ts';
import type { Output } from '../output.ts';

/** A catalogue in a few words. */
export const describeCatalogue = ({ version, date, models }: CatalogueState): string =>
  `${version}, ${number(models).text} models${date === null ? '' : `, prices of ${date}`}`;

/** Warns if the catalogue is old: providers change some price nearly every month. */
export const warnIfStale = (output: Output, { stale, ageDays }: CatalogueState): void => {
  if (!stale || output.json) return;
  output.warn(
    `The catalogue is ${ageDays === null ? 'of an unknown day' : `${ageDays} days old`}; update it with \`spanledger prices update\``,
  );
};
