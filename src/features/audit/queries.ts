import { type AuditRow, readEntries } from '../../core/audit/index.ts';
import type { SqlValue } from '../../db/connection.ts';
import type { Reader, ReadOp } from '../../db/reader.ts';
import { badRequest } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { AuditEntry, AuditFilters, AuditPage } from './contract.ts';

/** Selects entries `before` a sequence number, newest first, or `after` one, oldest first. */
export type AuditSelection = AuditFilters & { readonly limit: number } & (
    | { readonly before: number }
    | { readonly after: number }
  );

/** Entries of the reader's organization. */
function selectEntries(reader: Reader, selection: AuditSelection): AuditRow[] {
  const conditions: [string, SqlValue][] = [];
  const { start, end, action, actor, projectId } = selection;
  if (start !== undefined) conditions.push(['at >= ?', start]);
  if (end !== undefined) conditions.push(['at <= ?', end]);
  if (action?.endsWith('.')) conditions.push(["action GLOB ? || '*'", action.replace(/[*?[]/g, '[$&]')]);
  else if (action !== undefined) conditions.push(['action = ?', action]);
  if (actor !== undefined) conditions.push(['? IN (actor_id, actor_email)', actor]);
  if (projectId !== undefined) conditions.push(['project_id = ?', projectId]);
  const backwards = 'before' in selection;
  conditions.push(backwards ? ['seq < ?', selection.before] : ['seq > ?', selection.after]);
  const order = backwards ? 'newest first' : 'oldest first';
  return readEntries(reader, conditions, { order, limit: selection.limit });
}

/** A page of the log, newest first. The cursor is the sequence number of its last entry. */
export const listAudit: ReadOp<AuditFilters & { cursor: string | null; limit: number }, AuditPage> = {
  name: 'audit.list',
  run(reader, { cursor, limit, ...filters }) {
    if (cursor !== null && !/^\d{1,15}$/.test(cursor))
      throw badRequest('cursor was not returned by this endpoint');
    const before = cursor === null ? Number.MAX_SAFE_INTEGER : Number(cursor);
    const rows = selectEntries(reader, { ...filters, before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { entries: shown.map(toEntry), nextCursor: last === undefined ? null : String(last.seq) };
  },
};

/** A page of entries after a sequence number, oldest first, for an export. */
export const exportAudit: ReadOp<AuditFilters & { after: number; limit: number }, AuditEntry[]> = {
  name: 'audit.export',
  run: (reader, selection) => selectEntries(reader, selection).map(toEntry),
};

function toEntry(row: AuditRow): AuditEntry {
  const parse = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return {
    id: row.id,
    seq: row.seq,
    timestamp: formatInstant(row.at),
    actor: { kind: row.actor_kind, id: row.actor_id, email: row.actor_email },
    organizationId: row.organization_id,
    projectId: row.project_id,
    action: row.action,
    subject: row.subject_type === null ? null : { type: row.subject_type, id: row.subject_id ?? '' },
    before: parse(row.before),
    after: parse(row.after),
    source: { address: row.address, userAgent: row.user_agent },
    hash: row.hash,
    previousHash: row.previous_hash,
  };
}
