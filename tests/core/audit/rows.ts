import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../src/context.ts';
import { sqlOp } from '../../../src/db/sql-op.ts';

/** A row of the audit log as it is kept. */
export type AuditRow = {
  organization_id: string;
  seq: number;
  id: string;
  at: number;
  actor_kind: string;
  actor_id: string;
  actor_email: string | null;
  project_id: string | null;
  action: string;
  subject_type: string | null;
  subject_id: string | null;
  before: string | null;
  after: string | null;
  address: string | null;
  user_agent: string | null;
  previous_hash: string;
  hash: string;
};

/** The rows of one chain, or of all, oldest first. */
export async function auditRows(ctx: Ctx, organizationId?: string): Promise<AuditRow[]> {
  const rows = await ctx.db.sql.all<AuditRow>(sql`SELECT * FROM audit_log ORDER BY organization_id, seq`);
  return rows.filter((row) => organizationId === undefined || row.organization_id === organizationId);
}

/** Runs one statement on the writing connection, as whoever has the file could. */
export const runSql = (ctx: Ctx, text: string) => ctx.db.writer.write(sqlOp, [{ sql: text, args: [] }]);
