import { desc, lt } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import { priceCatalogues } from './table.ts';

/** The SHA-256 of the catalogue that was taken last; null where none was. */
export async function newestCatalogue(ctx: Ctx): Promise<{ id: number; sha256: string } | null> {
  const [row] = await ctx.db.sql
    .select({ id: priceCatalogues.id, sha256: priceCatalogues.sha256 })
    .from(priceCatalogues)
    .orderBy(desc(priceCatalogues.id))
    .limit(1);
  return row ?? null;
}

/** Catalogues that are kept, the one in force included. */
const KEPT = 3;

/** The statements that put a catalogue in force and drop the oldest. */
export const catalogueStatements = (
  ctx: Ctx,
  row: typeof priceCatalogues.$inferInsert & { readonly id: number },
): BatchItem<'sqlite'>[] => [
  ctx.db.sql.insert(priceCatalogues).values(row),
  ctx.db.sql.delete(priceCatalogues).where(lt(priceCatalogues.id, row.id - KEPT + 1)),
];
