import { type AuditDraft, createAuditAppender } from '../../core/audit/index.ts';
import type { ErasureOutcome } from '../../core/events/index.ts';
import { runStatement } from '../../db/connection.ts';
import type { Effect } from '../../db/effects.ts';
import type { WriteOp } from '../../db/group-commit.ts';
import type { Change } from './tables.ts';

export type ErasureRequest = {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly userId: string;
  readonly userDigest: string;
  readonly at: number;
  readonly draft: AuditDraft;
};

/** Records a request and its audit entry, unless one for the same user waits. Returns the id of the one that waits. */
export const requestOp: WriteOp<ErasureRequest, string> = {
  name: 'erasure.request',
  open(connection) {
    const audit = createAuditAppender(connection);
    const insert = connection.prepare(
      `INSERT INTO erasures (id, organization_id, project_id, user_id, user_digest, requested_by, requested_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    const waiting = connection
      .prepare(
        `SELECT id FROM erasures
         WHERE project_id = ? AND user_digest = ? AND started_at IS NULL AND finished_at IS NULL`,
      )
      .raw(true);
    return {
      apply({ id, organizationId, projectId, userId, userDigest, at, draft }) {
        const [[found] = []] = waiting.all([projectId, userDigest]) as string[][];
        if (found !== undefined) return found;
        insert.run([id, organizationId, projectId, userId, userDigest, draft.actor.id, at]);
        audit.append(draft);
        return id;
      },
    };
  },
};

/** Records an erasure's progress; the event store commits it with the deletion. */
export const progressEffect: Effect<{ readonly id: string }, ErasureOutcome, void> = {
  name: 'erasure.note_progress',
  open(connection) {
    const note = connection.prepare('UPDATE erasures SET chunk = ?, events = events + ? WHERE id = ?');
    return {
      apply: ({ id }, { events, cursor }) => {
        note.run([cursor, events, id]);
      },
    };
  },
};

export type Finish = {
  readonly id: string;
  /** Changes of other tables in the same transaction. */
  readonly changes: readonly Change[];
  readonly refusedLines: number;
  /** What else was deleted, by its `receipt` name. */
  readonly others: Readonly<Record<string, number>>;
  readonly at: number;
  readonly draft: AuditDraft;
};

/** Removes the user's id from the erasure and adds the receipt to the audit log. Idempotent. */
export const finishOp: WriteOp<Finish, void> = {
  name: 'erasure.finish',
  open(connection) {
    const audit = createAuditAppender(connection);
    const close = connection.prepare(
      `UPDATE erasures SET finished_at = ?, user_id = NULL, refused_lines = ? WHERE id = ? AND finished_at IS NULL`,
    );
    const read = connection.prepare('SELECT events FROM erasures WHERE id = ?').raw(true);
    return {
      apply({ id, changes, refusedLines, others, at, draft }) {
        if (close.run([at, refusedLines, id]).changes === 0) return;
        const [[events] = []] = read.all([id]) as number[][];
        const changed: Record<string, number> = {};
        for (const { table, counted, statement } of changes) {
          const rows = runStatement(connection, statement);
          if (counted && rows.changes > 0) changed[table] = rows.changes;
        }
        const told = {
          ...JSON.parse(draft.after ?? '{}'),
          deleted: { events: events ?? 0, refusedLines, ...others },
          ...(Object.keys(changed).length > 0 && { changed }),
        };
        audit.append({ ...draft, after: JSON.stringify(told) });
      },
    };
  },
};
