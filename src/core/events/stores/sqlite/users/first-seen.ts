import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { batchesOf } from '../scan/open-batches.ts';
import { ALL_TIME } from '../scan/open-chunks.ts';
import { bufferOf } from '../sums/blob.ts';
import { scanUsers } from './scan-users.ts';
import { decodeUserPage, PAGE_USERS, U, USER_SPANS } from './user-page.ts';

/** A user of a page: the id and, once events of theirs are sealed, the number. */
type Sought = { readonly no: number; readonly userId: string };

/** Rows of sums read at a time. */
const ROWS = 8;

/**
 * The time of each user's first event, of all time and environments; users without one are left out.
 * @param knownFrom events from then on that are not sealed yet are not looked at, because the caller knows them
 */
export function firstSeen(
  reader: Reader,
  project: number,
  users: readonly Sought[],
  knownFrom: number,
): Map<number, number> {
  const firsts = new Map<number, number>();
  for (const [page, own] of Map.groupBy(users, ({ no }) => Math.floor(no / PAGE_USERS)))
    readFirsts(reader, project, page, new Set(own.map(({ no }) => no % PAGE_USERS)), firsts);
  const earlier = { from: ALL_TIME.from, to: knownFrom };
  const unsealed = scanUsers(batchesOf(reader, project, earlier), { filters: {}, calls: false }, earlier);
  for (const { no, userId } of users) {
    const first = unsealed.get(userId)?.[U.first];
    if (first !== undefined) firsts.set(no, Math.min(firsts.get(no) ?? first, first));
  }
  return firsts;
}

/** From the oldest days on, until each of the wanted users of a page was met. */
function readFirsts(
  reader: Reader,
  project: number,
  page: number,
  wanted: Set<number>,
  firsts: Map<number, number>,
): void {
  const [, span] = USER_SPANS;
  for (let after = -1e9; wanted.size > 0; ) {
    const rows = reader.rows(
      `SELECT day, sums FROM user_days WHERE project = ? AND page = ? AND span = ? AND day > ?
       ORDER BY day LIMIT ${ROWS}`,
      [project, page, span, after],
    );
    for (const [day, blob] of rows) {
      after = Number(day);
      const { slots, columns } = decodeUserPage(bufferOf(blob));
      for (const [place, slot] of slots.entries())
        if (wanted.delete(slot))
          firsts.set(page * PAGE_USERS + slot, after * DAY_MS + (columns[U.first]?.[place] ?? 0));
    }
    if (rows.length < ROWS) return;
  }
}
