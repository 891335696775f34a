import type { Selection, Window } from '../../../selection.ts';
import type { ChunkRef } from '../scan/chunk.ts';
import { selectEvents } from '../scan/select-events.ts';
import { sumUsers } from '../scan/sum-users.ts';
import { mergeSums } from './user-page.ts';

/** Sums over the matching events of chunks, in the order of `USER_COLUMNS`, by user id. */
export function scanUsers(
  refs: readonly ChunkRef[],
  selection: Selection,
  window: Window,
): Map<string, number[]> {
  const users = new Map<string, number[]>();
  for (const ref of refs) {
    const selected = selectEvents(ref.open(), selection, window);
    for (const { userId, sums } of selected === null ? [] : sumUsers(selected)) {
      const known = users.get(userId);
      if (known === undefined) users.set(userId, sums);
      else mergeSums(known, sums);
    }
  }
  return users;
}
