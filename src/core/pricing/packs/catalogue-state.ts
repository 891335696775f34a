import { DAY_MS } from '../../../lib/time.ts';
import type { Catalogue } from '../catalogue.ts';
import { type CatalogueState, STALE_DAYS } from './contract.ts';

/** The version, size and age of a catalogue. `now` in epoch milliseconds. */
export function stateOf({ version, date, providers }: Catalogue, now: number): CatalogueState {
  const ageDays = date === null ? null : Math.max(0, Math.floor((now - Date.parse(date)) / DAY_MS));
  return {
    version,
    date,
    ageDays,
    stale: ageDays === null || ageDays > STALE_DAYS,
    providers: providers.length,
    models: providers.reduce((sum, provider) => sum + provider.models.length, 0),
  };
}
