import { runStatement, type SqlStatement } from '../../db/connection.ts';
import type { WriteOp } from '../../db/group-commit.ts';
import { type AuditHead, createAuditAppender } from './append.ts';
import type { AuditDraft } from './entry.ts';

export type AuditedChange = { readonly statements: SqlStatement[]; readonly drafts: readonly AuditDraft[] };
/** Rows that each statement changed, and the new latest entries of the chains. */
export type AuditedResult = { readonly changes: number[]; readonly heads: AuditHead[] };

/**
 * Runs statements and adds their audit entries, all or none. If statements were given and none changed a row, nothing
 * happened and no entry is added.
 */
export const commitOp: WriteOp<AuditedChange, AuditedResult> = {
  name: 'audit.commit',
  open(connection) {
    const audit = createAuditAppender(connection);
    return {
      apply({ statements, drafts }) {
        const before = drafts.map((draft) => audit.stateOf(draft));
        const changes = statements.map((statement) => {
          const { changes, rows } = runStatement(connection, statement);
          return changes + rows.length;
        });
        if (statements.length > 0 && changes.every((count) => count === 0)) return { changes, heads: [] };
        const heads = drafts.map((draft, i) =>
          draft.subject?.state == null
            ? audit.append(draft)
            : audit.append(draft, { before: before[i] ?? null, after: audit.stateOf(draft) }),
        );
        return { changes, heads };
      },
    };
  },
};
