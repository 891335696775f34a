import type { Ctx } from '../../context.ts';
import { type CsvColumn, type CsvValue, toCsv as toLines } from '../../lib/csv.ts';
import type { AuditEntry, AuditFilters } from './contract.ts';
import { exportAudit } from './queries.ts';

const PAGE = 1_000;

const json = (state: unknown): string | null => (state === null ? null : JSON.stringify(state));

const VALUES: Readonly<Record<string, (entry: AuditEntry) => CsvValue>> = {
  timestamp: ({ timestamp }) => timestamp,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_email: ({ actor }) => actor.email,
  organization_id: ({ organizationId }) => organizationId,
  project_id: ({ projectId }) => projectId,
  action: ({ action }) => action,
  subject_type: ({ subject }) => subject?.type ?? null,
  subject_id: ({ subject }) => subject?.id ?? null,
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
  address: ({ source }) => source.address,
  user_agent: ({ source }) => source.userAgent,
  id: ({ id }) => id,
  seq: ({ seq }) => seq,
  previous_hash: ({ previousHash }) => previousHash,
  hash: ({ hash }) => hash,
};

const COLUMNS: readonly CsvColumn<AuditEntry>[] = Object.entries(VALUES).map(([header, value]) => ({
  header,
  value,
}));

/**
 * Matching entries of an organization, oldest first, as CSV. It yields a page at a time, because the log may be larger than
 * memory.
 */
export async function* toCsv(
  ctx: Ctx,
  organizationId: string,
  filters: AuditFilters,
): AsyncGenerator<string> {
  yield toLines(COLUMNS, []);
  const scope = { projects: [], organizationId };
  for (let after = 0; ; ) {
    const page = await ctx.db.read(exportAudit, scope, { ...filters, after, limit: PAGE });
    const entries = page.parse();
    yield toLines(COLUMNS, entries, { header: false });
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    after = last.seq;
  }
}
