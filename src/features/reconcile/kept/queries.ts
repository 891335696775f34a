import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import { reconciliations } from '../table.ts';
import type { Kept, KeptResult } from './contract.ts';

const { result: _lines, ...summary } = getTableColumns(reconciliations);
type Summary = Omit<typeof reconciliations.$inferSelect, 'result'>;

/** A project's kept comparisons without their lines, newest month first; of one month, or one of them. */
export async function listKept(
  ctx: Ctx,
  projectId: string,
  { month, id }: { readonly month?: string | undefined; readonly id?: string } = {},
): Promise<Kept[]> {
  const rows = await ctx.db.sql
    .select(summary)
    .from(reconciliations)
    .where(
      and(
        eq(reconciliations.projectId, projectId),
        month === undefined ? undefined : eq(reconciliations.month, month),
        id === undefined ? undefined : eq(reconciliations.id, id),
      ),
    )
    .orderBy(desc(reconciliations.month), desc(reconciliations.createdAt), desc(reconciliations.id));
  return rows.map(toKept);
}

/** One of a project with its lines. Throws AppError 404. */
export async function findKept(ctx: Ctx, projectId: string, id: string): Promise<KeptResult> {
  const [row] = await ctx.db.sql
    .select()
    .from(reconciliations)
    .where(and(eq(reconciliations.projectId, projectId), eq(reconciliations.id, id)));
  if (row === undefined) throw noComparison(id);
  return { ...toKept(row), result: row.result };
}

export const noComparison = (id: string): Error => notFound(`There is no reconciliation ${id}`);

const toUsd = (nano: number | null): number | null => (nano === null ? null : nano / 1e9);

const toKept = (row: Summary): Kept => ({
  id: row.id,
  month: row.month,
  name: row.name,
  note: row.note,
  layout: row.layout,
  from: row.fromDay,
  to: row.toDay,
  invoiceUsd: toUsd(row.invoiceNano),
  booksUsd: toUsd(row.booksNano),
  driftUsd: toUsd(row.driftNano),
  lines: row.lines,
  differing: row.differing,
  createdAt: formatInstant(row.createdAt.getTime()),
  updatedAt: formatInstant(row.updatedAt.getTime()),
});
