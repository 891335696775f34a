import { and, asc, desc, eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { PriceRow } from './contract.ts';
import { toPriceRow } from './price-rows.ts';
import { prices } from './table.ts';

/** An organization's prices by provider and model, the newest of a name first. */
export async function listPrices(ctx: Ctx, organizationId: string): Promise<PriceRow[]> {
  const rows = await ctx.db.sql
    .select()
    .from(prices)
    .where(eq(prices.organizationId, organizationId))
    .orderBy(asc(prices.provider), asc(prices.model), desc(prices.effectiveFrom), asc(prices.id));
  return rows.map(toPriceRow);
}

/** One price of an organization. Throws AppError 404. */
export async function findPrice(ctx: Ctx, organizationId: string, id: string): Promise<PriceRow> {
  const [row] = await ctx.db.sql
    .select()
    .from(prices)
    .where(and(eq(prices.id, id), eq(prices.organizationId, organizationId)));
  if (row === undefined) throw notFound(`There is no price ${id}`);
  return toPriceRow(row);
}

/** The organization of a price. Throws AppError 404. */
export async function organizationOfPrice(ctx: Ctx, id: string): Promise<string> {
  const [row] = await ctx.db.sql
    .select({ organizationId: prices.organizationId })
    .from(prices)
    .where(eq(prices.id, id));
  if (row === undefined) throw notFound(`There is no price ${id}`);
  return row.organizationId;
}
