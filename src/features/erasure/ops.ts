import { type AuditDraft, createAuditAppender } from '../../core/audit/index.ts';
import type { ErasureOutcome } from '../../core/events/index.ts';
import { runStatement, type SqlStatement, type SqlValue } from '../../db/connection.ts';
import type { Effect } from '../../db/effects.ts';
import type { WriteOp } from '../../db/group-commit.ts';

/** Records a request and its audit entry. Values: id, organization, project, user, digest, by, at. */
export const requestOp: WriteOp<{ values: SqlValue[]; draft: AuditDraft }, void> = {
  name: 'erasure.request',
  open(connection) {
    const audit = createAuditAppender(connection);
    const insert = connection.prepare(
      `INSERT INTO erasures (id, organization_id, project_id, user_id, user_digest, requested_by, requested_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    return {
      apply({ values, draft }) {
        insert.run(values);
        audit.append(draft);
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
  /** Statements that replace the user's id in other tables, in the same transaction. */
  readonly renames: readonly SqlStatement[];
  readonly refusedLines: number;
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
      apply({ id, renames, refusedLines, at, draft }) {
        if (close.run([at, refusedLines, id]).changes === 0) return;
        const [[events] = []] = read.all([id]) as number[][];
        const told = { ...JSON.parse(draft.after ?? '{}'), deleted: { events: events ?? 0, refusedLines } };
        audit.append({ ...draft, after: JSON.stringify(told) });
        for (const statement of renames) runStatement(connection, statement);
      },
    };
  },
};
