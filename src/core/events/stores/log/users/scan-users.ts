import type { Selection, Window } from '../../../selection.ts';
import { mergeSums } from '../../sqlite/users/user-page.ts';
import { matchesOf } from '../scan/match.ts';
import type { ChunkRef } from '../scan/open-chunks.ts';
import { sumUsers } from '../scan/sum-users.ts';

/** Sums over the matching events of chunks, in the order of `USER_COLUMNS`, by user id. */
export function scanUsers(
  refs: readonly ChunkRef[],
  selection: Selection,
  window: Window,
): Map<string, number[]> {
  const users = new Map<string, number[]>();
  for (const ref of refs) {
    const chunk = ref.open();
    const mask = matchesOf(chunk, selection, window);
    if (mask === null) continue;
    for (const { userId, sums } of sumUsers(chunk, mask)) {
      const known = users.get(userId);
      if (known === undefined) users.set(userId, sums);
      else mergeSums(known, sums);
    }
  }
  return users;
}
