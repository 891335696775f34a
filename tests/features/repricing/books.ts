import { isOnClickhouse } from '../../helpers/event-store-env.ts';
import { readStored, type Stored } from '../../helpers/read-stored.ts';
import { storageFaults, storedEvents } from '../../helpers/stored-events.ts';
import { sumFaults } from '../../helpers/stored-sums.ts';

/** What every event costs, whether it is sealed or not. Sums follow from it: see `faultsOf`. */
export const costsIn = (rows: readonly Stored[]): string =>
  rows
    .map(({ project, ts, event, ...row }) =>
      JSON.stringify([project, ts, event.event_id, row.costNano, row.costStatus, row.price]),
    )
    .sort()
    .join('\n');
export const costsOf = async (path: string): Promise<string> => costsIn(await readStored(path));

/** What is wrong with the stored events of a file, and the sums that differ from a recount of them. */
export function faultsOf(path: string): string[] {
  if (isOnClickhouse) return [];
  const rows = storedEvents(path);
  return [...storageFaults(path, rows), ...sumFaults(path, rows)];
}
