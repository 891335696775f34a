import { type StoredRow, storageFaults, storedEvents } from '../../helpers/stored-events.ts';
import { sumFaults } from '../../helpers/stored-sums.ts';

/** What every event of a file costs, whether it is sealed or not. Sums follow from it: see `faultsOf`. */
export const costsOf = (path: string): string =>
  storedEvents(path)
    .map(({ project, ts, event, ...row }: StoredRow) =>
      JSON.stringify([project, ts, event.event_id, row.costNano, row.costStatus, row.price]),
    )
    .sort()
    .join('\n');

/** What is wrong with the stored events, and the sums that differ from a recount of them. */
export function faultsOf(path: string): string[] {
  const rows = storedEvents(path);
  return [...storageFaults(path, rows), ...sumFaults(path, rows)];
}
