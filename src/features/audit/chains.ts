import { inArray } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { listChainIds } from '../../core/audit/index.ts';
import { organizations } from '../../core/orgs/table.ts';

/** A chain of the audit log: of an existing or deleted organization, or of the installation. */
export type Chain = { readonly id: string; readonly name: string };

/** Every chain, by name. The chain of a deleted organization is named by its id. */
export async function listChains(ctx: Ctx): Promise<Chain[]> {
  const ids = await listChainIds(ctx);
  const { id, name } = organizations;
  const rows = await ctx.db.sql.select({ id, name }).from(organizations).where(inArray(id, ids));
  const names = new Map(rows.map((row) => [row.id, row.name]));
  const chains = ids.map((chain) => ({ id: chain, name: names.get(chain) ?? chain }));
  return chains.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
