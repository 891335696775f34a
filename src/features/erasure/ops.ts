import { type AuditDraft, createAuditAppender } from '../../core/audit/index.ts';
import { createUserEraser } from '../../core/events/index.ts';
import type { SqlValue } from '../../db/connection.ts';
import type { WriteOp } from '../../db/group-commit.ts';

/** Records a request and the entry that tells of it. Values: id, organization, project, user, digest, by, at. */
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

export type Walk = {
  readonly id: string;
  readonly project: number;
  readonly userId: string;
  readonly chunk: number;
  /** Most events of the slice. */
  readonly max: number;
};

/** `next` is where the walk goes on, null at its end; `ms` the time before COMMIT. */
export type WalkReply = { readonly next: number | null; readonly events: number; readonly ms: number };

/** Deletes a few events of a user and notes how far it has come, in one transaction. */
export const sliceOp: WriteOp<Walk, WalkReply> = {
  name: 'erasure.slice',
  open(connection) {
    const eraser = createUserEraser(connection);
    const note = connection.prepare('UPDATE erasures SET chunk = ?, events = events + ? WHERE id = ?');
    const count = connection.prepare('UPDATE erasures SET events = events + ? WHERE id = ?');
    return {
      apply({ id, project, userId, chunk, max }) {
        const since = performance.now();
        const { events, next } = eraser.eraseSlice({ project, userId }, { chunk, max });
        if (next === null) count.run([events, id]);
        else note.run([next, events, id]);
        return { next, events, ms: performance.now() - since };
      },
    };
  },
};

export type Finish = {
  readonly id: string;
  readonly project: number;
  readonly userId: string;
  /** What the user's empty sums are called from now on. */
  readonly name: string;
  readonly refusedLines: number;
  readonly at: number;
  readonly draft: AuditDraft;
};

/** Forgets who it was and adds the receipt to the audit log. Does nothing a second time. */
export const finishOp: WriteOp<Finish, void> = {
  name: 'erasure.finish',
  open(connection) {
    const eraser = createUserEraser(connection);
    const audit = createAuditAppender(connection);
    const close = connection.prepare(
      `UPDATE erasures SET finished_at = ?, user_id = NULL, refused_lines = ? WHERE id = ? AND finished_at IS NULL`,
    );
    const renameBudgets = connection.prepare(
      'UPDATE budgets SET user_id = ? WHERE user_id = ? AND project_id = (SELECT id FROM projects WHERE no = ?)',
    );
    const forgetViews = connection.prepare(
      `DELETE FROM saved_views WHERE project_id = (SELECT id FROM projects WHERE no = ?1)
         AND (search ->> '$.userId' = ?2 OR substr(search ->> '$.tag', -length(?2) - 1) = '=' || ?2)`,
    );
    const read = connection.prepare('SELECT events FROM erasures WHERE id = ?').raw(true);
    return {
      apply({ id, project, userId, name, refusedLines, at, draft }) {
        if (close.run([at, refusedLines, id]).changes === 0) return;
        const [[events] = []] = read.all([id]) as number[][];
        const told = { ...JSON.parse(draft.after ?? '{}'), deleted: { events: events ?? 0, refusedLines } };
        audit.append({ ...draft, after: JSON.stringify(told) });
        renameBudgets.run([name, userId, project]);
        forgetViews.run([project, userId]);
        eraser.rename(project, userId, name);
      },
    };
  },
};
