import type { Connection } from '../../../../../db/connection.ts';
import type { WriterPart } from '../../../../../db/writer-env.ts';
import { createUserDays } from '../users/user-days.ts';
import type { SumDeltas } from './sum-deltas.ts';
import { createLabelWriter } from './write-labels.ts';
import { createLinkWriter } from './write-links.ts';
import { createRollupWriter } from './write-rollups.ts';

/** The sums of sealed events, on the writing connection. */
export type StoredSums = {
  /** Adds contributions to the sums of a project, in the transaction that changes its segments. */
  add(project: number, deltas: SumDeltas): void;
  /** The same for the sums by link only. */
  addLinks(project: number, deltas: SumDeltas['links']): void;
  /** Clears what a rollback, or a change of `event_users`, may have made wrong. */
  forget(): void;
};

export const storedSumsPart: WriterPart<StoredSums> = { open: openStoredSums };

export function openStoredSums(connection: Connection): StoredSums {
  const writeRollups = createRollupWriter(connection);
  const writeLabels = createLabelWriter(connection);
  const users = createUserDays(connection);
  const links = createLinkWriter(connection);
  return {
    add(project, deltas) {
      writeRollups(project, deltas.hours);
      writeLabels(project, deltas.labels);
      users.add(project, byUser(deltas.users));
      links.add(project, deltas.links);
    },
    addLinks: links.add,
    forget() {
      users.forget();
      links.forget();
    },
  };
}

function byUser(deltas: SumDeltas['users']): Map<string, Map<number, readonly number[]>> {
  const users = new Map<string, Map<number, readonly number[]>>();
  for (const { userId, day, sums } of deltas) {
    const days = users.get(userId) ?? new Map<number, readonly number[]>();
    users.set(userId, days.set(day, sums));
  }
  return users;
}
