import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { conflict } from '../../../errors.ts';
import { nanoOf } from '../../../lib/money-column.ts';
import type { Actor } from '../../../module.ts';
import type { Reconciliation } from '../contract.ts';
import { reconciliations } from '../table.ts';
import { type Kept, type KeptResult, MAX_KEPT, MAX_KEPT_LINES } from './contract.ts';
import { findKept, listKept, noComparison } from './queries.ts';
import { reconciliationSubject } from './subject.ts';

/** Who works on a project's comparisons. */
export type Keeper = { readonly scope: ProjectScope; readonly actor: Actor };

type Given = { readonly name: string; readonly note: string; readonly result: Reconciliation };

/** Keeps a comparison with the lines that differ most. Throws AppError 409 for one too many. */
export async function keepReconciliation(
  ctx: Ctx,
  { scope, actor }: Keeper,
  { name, note, result }: Given,
): Promise<KeptResult> {
  const { projectId, organizationId } = scope;
  const now = new Date(ctx.now());
  const id = newId('rec', now.getTime());
  const count = sql`(SELECT count(*) FROM reconciliations WHERE project_id = ${projectId})`;
  // Null, which no row can have as its id, when there are too many.
  const allowedId = sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_KEPT})`;
  const insert = ctx.db.sql.insert(reconciliations).values({
    ...{ id: allowedId, organizationId, projectId, name, note },
    ...{ month: result.from.slice(0, 7), fromDay: result.from, toDay: result.to, layout: result.layout },
    invoiceNano: toNano(result.invoice.usd),
    booksNano: toNano(result.books.usd),
    driftNano: toNano(result.driftUsd),
    lines: result.counts.lines,
    differing: result.counts.differing,
    result: { ...result, lines: result.lines.slice(0, MAX_KEPT_LINES) },
    ...{ createdAt: now, updatedAt: now },
  });
  const subject = { of: reconciliationSubject, id };
  try {
    await commitChange(ctx, actor, {
      statements: [insert],
      audit: [{ action: 'reconciliation.created', organizationId, projectId, subject }],
    });
  } catch (error) {
    if (!brokenConstraint(error)?.columns.includes('reconciliations.id')) throw error;
    throw conflict(`A project keeps at most ${MAX_KEPT} reconciliations; delete one first`);
  }
  return findKept(ctx, projectId, id);
}

const toNano = (usd: number | null): number | null => (usd === null ? null : nanoOf(usd));

/** Changes the note. Throws AppError 404. */
export async function changeNote(
  ctx: Ctx,
  { scope, actor }: Keeper,
  { id, note }: { readonly id: string; readonly note: string },
): Promise<Kept> {
  const { projectId, organizationId } = scope;
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(reconciliations)
        .set({ note, updatedAt: new Date(ctx.now()) })
        .where(and(eq(reconciliations.id, id), eq(reconciliations.projectId, projectId))),
    ],
    audit: [
      {
        ...{ action: 'reconciliation.updated', organizationId, projectId },
        subject: { of: reconciliationSubject, id },
      },
    ],
  });
  const [kept] = await listKept(ctx, projectId, { id });
  if (kept === undefined) throw noComparison(id);
  return kept;
}

/** Deletes a comparison. Throws AppError 404. */
export async function deleteKept(ctx: Ctx, { scope, actor }: Keeper, id: string): Promise<void> {
  const { projectId, organizationId } = scope;
  const [changed] = await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .delete(reconciliations)
        .where(and(eq(reconciliations.id, id), eq(reconciliations.projectId, projectId))),
    ],
    audit: [
      {
        ...{ action: 'reconciliation.deleted', organizationId, projectId },
        subject: { of: reconciliationSubject, id },
      },
    ],
  });
  if (changed === 0) throw noComparison(id);
}
