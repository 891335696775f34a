import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { SqlValue } from '../../db/connection.ts';
import type { Reader } from '../../db/reader.ts';
import { type AuditRow, ENTRY_COLUMNS } from './entry.ts';

/** A place in a chain: the number of an entry and its hash. */
export type LogPosition = { readonly seq: number; readonly hash: string };

/**
 * Entries of the organization that the reader is opened for.
 * @param conditions SQL with one `?` each, and its value
 * @param order by place in the chain
 */
export function readEntries(
  reader: Reader,
  conditions: readonly (readonly [condition: string, value: SqlValue])[],
  { order, limit }: { order: 'newest first' | 'oldest first'; limit: number },
): AuditRow[] {
  return reader.all<AuditRow>(
    `SELECT ${ENTRY_COLUMNS.join(', ')} FROM audit_log WHERE ${conditions.map(([part]) => part).join(' AND ')}
     ORDER BY seq ${order === 'newest first' ? 'DESC' : ''} LIMIT ?`,
    [...conditions.map(([, value]) => value), limit],
  );
}

/** Where the chain of the reader's organization is recorded to end; null where it has no entry. */
export const readChainEnd = (reader: Reader): LogPosition | null =>
  reader.all<LogPosition>('SELECT seq, hash FROM audit_heads')[0] ?? null;

/** The hash of one entry of that chain; null where there is no such entry. */
export const readEntryHash = (reader: Reader, seq: number | null): string | null =>
  reader.all<{ hash: string }>('SELECT hash FROM audit_log WHERE seq = ?', [seq])[0]?.hash ?? null;

/** Ids of all chains, from what is recorded of their ends and from the entries, should one of them be gone. */
export async function listChainIds(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.sql.all<{ id: string }>(
    sql`SELECT organization_id AS id FROM audit_heads UNION SELECT organization_id FROM audit_log`,
  );
  return rows.map(({ id }) => id);
}
