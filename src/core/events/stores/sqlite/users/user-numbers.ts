import type { Reader } from '../../../../../db/reader.ts';

/** The number of users of a project that have a number: those of sealed events. */
export function countNumbers(reader: Reader, project: number): number {
  const [row] = reader.rows('SELECT max(no) FROM event_users WHERE project = ?', [project]);
  return Number(row?.[0] ?? -1) + 1;
}

/** The numbers of users, as far as they have one. */
export function numbersOf(reader: Reader, project: number, userIds: Iterable<string>): Map<string, number> {
  const rows = reader.rows(
    'SELECT user_id, no FROM event_users WHERE project = ? AND user_id IN (SELECT value FROM json_each(?))',
    [project, JSON.stringify([...new Set(userIds)])],
  );
  return new Map(rows.map(([userId, no]) => [String(userId), Number(no)]));
}
