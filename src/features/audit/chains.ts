import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';

/** A chain of the log: an organization's, also of one that is gone, or the installation's. */
export type Chain = { readonly id: string; readonly name: string };

/** Every chain, by name: from what is recorded of their ends and from the entries, should one of them be gone. */
export async function listChains(ctx: Ctx): Promise<Chain[]> {
  return ctx.db.sql.all<Chain>(
    sql`SELECT organization_id AS id, coalesce(organizations.name, organization_id) AS name
        FROM (SELECT organization_id FROM audit_heads UNION SELECT organization_id FROM audit_log)
        LEFT JOIN organizations ON organizations.id = organization_id ORDER BY 2, 1`,
  );
}
