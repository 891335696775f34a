import type { Connection, SqlValue } from '../../db/connection.ts';
import { FIRST_HASH, hashEntry } from './chain.ts';
import { type AuditDraft, HASHED_COLUMNS } from './entry.ts';

/** The latest entry of an organization's chain. An outsider can note it to verify the chain later. */
export type AuditHead = { readonly organizationId: string; readonly seq: number; readonly hash: string };

/** Adds entries to the chains within the connection's open transaction. */
export type AuditAppender = {
  /** The state of a draft's subject as JSON text; null if it has none. Call before and after the change. */
  stateOf(draft: AuditDraft): string | null;
  /** Throws if the entry cannot be added; the audited change must then be rolled back. */
  append(draft: AuditDraft, states?: { before: string | null; after: string | null }): AuditHead;
};

/** For write operations that audit themselves; `commitChange` audits lists of statements. */
export function createAuditAppender(connection: Connection): AuditAppender {
  const readHead = connection
    .prepare('SELECT seq, hash FROM audit_heads WHERE organization_id = ?')
    .raw(true);
  const insert = connection.prepare(
    `INSERT INTO audit_log (${HASHED_COLUMNS.join(', ')}, hash) VALUES (${HASHED_COLUMNS.map(() => '?').join(', ')}, ?)`,
  );

  return {
    stateOf({ subject }) {
      if (subject === null || subject.state === null) return null;
      const statement = connection.prepare(subject.state.sql).raw(true);
      const [row] = statement.all([...subject.state.args]) as SqlValue[][];
      return (row?.[0] as string | undefined) ?? null;
    },
    append(draft, states = draft) {
      const { organizationId, actor, subject } = draft;
      const [head] = readHead.all([organizationId]) as [number, string][];
      const [last, previousHash] = head ?? [0, FIRST_HASH];
      const seq = last + 1;
      const values = [
        organizationId,
        seq,
        draft.id,
        draft.at,
        actor.kind,
        actor.id,
        actor.email,
        draft.projectId,
        draft.action,
        subject?.type ?? null,
        subject?.id ?? null,
        states.before,
        states.after,
        draft.address,
        draft.userAgent,
        previousHash,
      ];
      const hash = hashEntry(values);
      insert.run([...values, hash]);
      return { organizationId, seq, hash };
    },
  };
}
