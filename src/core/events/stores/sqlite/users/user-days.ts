import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { bufferOf } from '../sums/blob.ts';
import {
  addToUserPage,
  createPageScratch,
  decodeUserPage,
  mergeSums,
  PAGE_USERS,
  U,
  USER_SPANS,
} from './user-page.ts';

/** Adds sums to the users and days of a project. `users`: by user id and day, in the order of `USER_COLUMNS`. */
export type UserDays = {
  add(project: number, users: ReadonlyMap<string, ReadonlyMap<number, readonly number[]>>): void;
  /** Clears cached numbers that a rollback may have removed. */
  forget(): void;
};

/** Maximum number of cached user numbers. */
const REMEMBERED = 100_000;

type PageDay = {
  readonly page: number;
  readonly span: number;
  readonly day: number;
  readonly deltas: Map<number, number[]>;
};

export function createUserDays(connection: Connection): UserDays {
  const find = connection.prepare('SELECT no FROM event_users WHERE project = ? AND user_id = ?').raw(true);
  const findLast = connection.prepare('SELECT max(no) FROM event_users WHERE project = ?').raw(true);
  const insert = connection.prepare('INSERT INTO event_users (project, no, user_id) VALUES (?, ?, ?)');
  const ofKey = 'WHERE project = ? AND page = ? AND span = ? AND day = ?';
  const read = connection.prepare(`SELECT sums FROM user_days ${ofKey}`).raw(true);
  const remove = connection.prepare(`DELETE FROM user_days ${ofKey}`);
  const upsert = connection.prepare(
    `INSERT INTO user_days (project, page, span, day, sums) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET sums = excluded.sums`,
  );
  let numbers = new Map<string, number>();
  /** Number of a project's users. */
  let counts = new Map<number, number>();

  function numberOf(project: number, userId: string): number {
    const key = `${project} ${userId}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (numbers.size >= REMEMBERED) numbers.clear();
    const [found] = find.all([project, userId]) as number[][];
    const number = found?.[0] ?? makeNumber(project, userId);
    numbers.set(key, number);
    return number;
  }

  function makeNumber(project: number, userId: string): number {
    const [last] = counts.has(project) ? [] : (findLast.all([project]) as (number | null)[][]);
    const number = counts.get(project) ?? (last?.[0] ?? -1) + 1;
    insert.run([project, number, userId]);
    counts.set(project, number + 1);
    return number;
  }

  const scratch = createPageScratch();
  function addToPage(project: number, { page, span, day, deltas }: PageDay): void {
    const key = [project, page, span, day];
    const [row] = read.all(key) as SqlValue[][];
    const blob = addToUserPage(row === undefined ? null : decodeUserPage(bufferOf(row[0])), deltas, scratch);
    if (blob !== null) upsert.run([...key, blob]);
    else if (row !== undefined) remove.run(key);
  }

  return {
    add(project, users) {
      const pages = new Map<string, PageDay>();
      for (const [userId, days] of users) {
        const number = numberOf(project, userId);
        const page = Math.floor(number / PAGE_USERS);
        for (const [day, sums] of days) {
          for (const span of USER_SPANS) addToEntry(pages, { page, span, day }, number % PAGE_USERS, sums);
        }
      }
      for (const entry of [...pages.values()].sort(byPlace)) addToPage(project, entry);
    },
    forget() {
      numbers = new Map();
      counts = new Map();
    },
  };
}

const byPlace = (a: PageDay, b: PageDay): number => a.page - b.page || a.span - b.span || a.day - b.day;

/** Adds a user's sums on a day to the page that contains them. */
function addToEntry(
  pages: Map<string, PageDay>,
  { page, span, day }: { readonly page: number; readonly span: number; readonly day: number },
  slot: number,
  sums: readonly number[],
): void {
  const start = Math.floor(day / span) * span;
  const id = `${page} ${span} ${start}`;
  const entry = pages.get(id) ?? { page, span, day: start, deltas: new Map<number, number[]>() };
  pages.set(id, entry);
  const added = [...sums];
  for (const place of [U.first, U.last]) added[place] = (added[place] ?? 0) + (day - start) * DAY_MS;
  const known = entry.deltas.get(slot);
  if (known === undefined) entry.deltas.set(slot, added);
  else mergeSums(known, added);
}
