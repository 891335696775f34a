import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { WriterEnv } from '../../../../../db/writer-env.ts';
import { changeRows, sumsPart } from '../changes/sums-of.ts';
import { C, EVENT_COLUMNS } from '../rows/row.ts';

/** Progress of the scan over a user's events. `next` is the chunk to continue with, null at the end. */
export type ErasedSlice = { readonly events: number; readonly next: number | null };

/** Removes a user's events and everything derived from them, a few at a time. */
export type UserEraser = {
  /**
   * Deletes at most `max` events of a user, starting at a chunk, and updates the sums. Like `changeRows`, it must be
   * called last in a transaction.
   */
  eraseSlice(of: { project: number; userId: string }, from: { chunk: number; max: number }): ErasedSlice;
  /**
   * Replaces the user's id by a pseudonym in the sums and in tags. The sums are empty, unless retention deleted
   * events before; those remain as an unnamed user's.
   */
  rename(project: number, userId: string, name: string): void;
};

/** Chunks per slice; each costs one index probe. */
const MAX_CHUNKS = 200;

/** Re-pricings of project ?1 with kept costs, by one index step each instead of a scan. */
const REPRICINGS = `WITH RECURSIVE kept (id) AS (
    SELECT min(repricing) FROM repriced_events WHERE project = ?1
    UNION ALL
    SELECT (SELECT min(repricing) FROM repriced_events WHERE project = ?1 AND repricing > kept.id)
    FROM kept WHERE kept.id IS NOT NULL
  ) SELECT id FROM kept WHERE id IS NOT NULL`;

export function createUserEraser(connection: Connection, env: WriterEnv): UserEraser {
  const sums = env.share(sumsPart);
  const listChunks = connection
    .prepare('SELECT chunk FROM event_chunks WHERE project = ? AND chunk >= ? ORDER BY chunk LIMIT ?')
    .raw(true);
  const read = connection
    .prepare(
      `SELECT ${EVENT_COLUMNS.join(', ')} FROM events WHERE project = ? AND chunk = ? AND user_id = ? LIMIT ?`,
    )
    .raw(true);
  const remove = connection.prepare('DELETE FROM events WHERE project = ? AND ts = ? AND event_id = ?');
  const removeUndated = connection.prepare('DELETE FROM undated_events WHERE project = ? AND event_id = ?');
  const removeRepriced = connection.prepare(
    `DELETE FROM repriced_events WHERE project = ?1 AND ts = ?2 AND event_id = ?3 AND repricing IN (${REPRICINGS})`,
  );
  const rename = connection.prepare('UPDATE event_users SET user_id = ? WHERE project = ? AND user_id = ?');

  const texts = ['event_shapes', 'event_labels'].map((table) => ({
    find: connection.prepare(`SELECT id, json FROM ${table} WHERE project = ? AND instr(json, ?)`).raw(true),
    write: connection.prepare(`UPDATE ${table} SET json = ? WHERE id = ?`),
  }));

  function removeRow(row: readonly SqlValue[]): void {
    const eventId = new Uint8Array(row[C.event_id] as ArrayBuffer);
    const key = [row[C.project] ?? null, row[C.ts] ?? null, eventId];
    removeRepriced.run(key);
    removeUndated.run([key[0] ?? null, eventId]);
    remove.run(key);
  }

  return {
    eraseSlice({ project, userId }, { chunk: from, max }) {
      const chunks = (listChunks.all([project, from, MAX_CHUNKS + 1]) as number[][]).flat();
      const removed: SqlValue[][] = [];
      for (const chunk of chunks.slice(0, MAX_CHUNKS)) {
        const rows = read.all([project, chunk, userId, max - removed.length + 1]) as SqlValue[][];
        const taken = rows.slice(0, max - removed.length);
        for (const row of taken) removeRow(row);
        removed.push(...taken);
        if (taken.length < rows.length) {
          changeRows(sums, removed, []);
          return { events: removed.length, next: chunk };
        }
      }
      changeRows(sums, removed, []);
      return { events: removed.length, next: chunks[MAX_CHUNKS] ?? null };
    },
    rename(project, userId, name) {
      rename.run([name, project, userId]);
      for (const { find, write } of texts) {
        for (const [id = 0, json = ''] of find.all([project, JSON.stringify(userId)]) as [number, string][]) {
          const value: unknown = JSON.parse(json);
          const named = JSON.stringify(renamed(value, userId, name));
          if (named !== json) write.run([named, id]);
        }
      }
      sums.seals.forgetUsers();
      sums.shapes.forget();
      sums.labels.forget();
    },
  };
}

/** Copies a JSON value and replaces every string equal to `userId` by `name`; keys stay unchanged. */
function renamed(value: unknown, userId: string, name: string): unknown {
  if (value === userId) return name;
  if (Array.isArray(value)) return value.map((item) => renamed(item, userId, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(item, userId, name)]));
}
