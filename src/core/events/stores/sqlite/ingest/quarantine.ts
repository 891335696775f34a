import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { notFound } from '../../../../../errors.ts';

/** Refused lines of one project, bounded. Values: id, project, received_at, line, error, body. */
export type Quarantine = {
  insert(project: number, lines: readonly SqlValue[][]): void;
  /** Deletes lines by id. Throws AppError 404 when one is not there (any more). */
  release(project: number, ids: readonly string[]): void;
  forget(): void;
};

/** Most refused lines kept for a project; the oldest give way. */
const KEPT = 10_000;
/** How many may be over it before the oldest are deleted together. */
const SLACK = 500;

export function createQuarantine(connection: Connection): Quarantine {
  const insert = connection.prepare(
    'INSERT INTO quarantined_events (id, project, received_at, line, error, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const count = connection.prepare('SELECT count(*) FROM quarantined_events WHERE project = ?').raw(true);
  const trim = connection.prepare(
    `DELETE FROM quarantined_events WHERE id IN (
       SELECT id FROM quarantined_events WHERE project = ? ORDER BY received_at LIMIT ?)`,
  );
  const remove = connection.prepare('DELETE FROM quarantined_events WHERE id = ? AND project = ?');
  /** An upper bound of what is stored: other writes delete, only this one adds. */
  let counts = new Map<number, number>();

  function trimmed(project: number): number {
    const [row] = count.all([project]) as SqlValue[][];
    const total = Number(row?.[0] ?? 0);
    if (total <= KEPT + SLACK) return total;
    trim.run([project, total - KEPT]);
    return KEPT;
  }

  return {
    insert(project, lines) {
      if (lines.length === 0) return;
      for (const line of lines) insert.run(line);
      const estimate = (counts.get(project) ?? Number.POSITIVE_INFINITY) + lines.length;
      counts.set(project, estimate <= KEPT + SLACK ? estimate : trimmed(project));
    },
    release(project, ids) {
      for (const id of ids) {
        if (remove.run([id, project]).changes === 0)
          throw notFound('This line is not in the quarantine any more');
      }
    },
    forget() {
      counts = new Map();
    },
  };
}
