import { and, asc, desc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { projects } from '../../core/projects/table.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { BUSY, type RepricingRow } from './contract.ts';
import { repricings } from './table.ts';

export type Repricing = typeof repricings.$inferSelect;

const LISTED = 100;

/** A project's re-pricings, the newest first. */
export async function listRepricings(ctx: Ctx, project: number): Promise<RepricingRow[]> {
  const rows = await ctx.db.sql
    .select()
    .from(repricings)
    .where(eq(repricings.project, project))
    .orderBy(desc(repricings.createdAt), desc(repricings.id))
    .limit(LISTED);
  return rows.map((row) => toReply(row));
}

/** Finds a re-pricing, optionally of one project only. Throws AppError 404. */
export async function findRepricing(ctx: Ctx, id: string, project?: number): Promise<Repricing> {
  const [row] = await ctx.db.sql
    .select()
    .from(repricings)
    .where(and(eq(repricings.id, id), project === undefined ? undefined : eq(repricings.project, project)));
  if (row === undefined) throw notFound(`There is no re-pricing ${id}`);
  return row;
}

/** Re-pricings with work to do, oldest first. */
export async function listBusy(ctx: Ctx, project?: number): Promise<Repricing[]> {
  return ctx.db.sql
    .select()
    .from(repricings)
    .where(
      and(
        inArray(repricings.state, [...BUSY]),
        project === undefined ? undefined : eq(repricings.project, project),
      ),
    )
    .orderBy(asc(repricings.createdAt), asc(repricings.id));
}

/** The condition that a re-pricing of the project, other than `id`, has work to do. */
export const isBusy = (project: number, id = ''): SQL =>
  sql`EXISTS (SELECT 1 FROM repricings AS busy WHERE busy.project = ${project} AND busy.id <> ${id}
        AND busy.state IN (${sql.join(
          BUSY.map((state) => sql`${state}`),
          sql`, `,
        )}))`;

/** Later re-pricings of the project that changed events and were not undone; they must be undone first. */
export async function listYounger(ctx: Ctx, { id, project }: Repricing): Promise<string[]> {
  const rows = await ctx.db.sql
    .select({ id: repricings.id })
    .from(repricings)
    .where(and(eq(repricings.project, project), gt(repricings.applied, 0), gt(repricings.id, id)));
  return rows.map((row) => row.id);
}

/** The project's id and organization. */
export async function projectOf(
  ctx: Ctx,
  no: number,
): Promise<{ projectId: string; organizationId: string }> {
  const [row] = await ctx.db.sql
    .select({ projectId: projects.id, organizationId: projects.organizationId })
    .from(projects)
    .where(eq(projects.no, no));
  if (row === undefined) throw notFound('The project of this re-pricing is gone');
  return row;
}

/** Converts a row to the API's reply, optionally with its changes by day and model. */
export function toReply(row: Repricing, withGroups = false): RepricingRow {
  return {
    id: row.id,
    state: row.state,
    request: row.request,
    looked: row.looked,
    changes: row.changes,
    before: row.beforeNano / 1e9,
    after: row.afterNano / 1e9,
    ...(withGroups ? { groups: row.groups } : {}),
    applied: row.applied,
    appliedDifference: row.appliedNano / 1e9,
    progress: progressOf(row),
    gone: row.gone,
    unreadable: row.unreadable,
    error: row.error,
    steps: row.steps,
    createdAt: formatInstant(row.createdAt.getTime()),
    updatedAt: formatInstant(row.updatedAt.getTime()),
  };
}

function progressOf({ state, applied, changes }: Repricing): number {
  const share = changes === 0 ? 1 : Math.min(1, applied / changes);
  if (state === 'applying' || state === 'stopped') return share;
  if (state === 'undoing') return 1 - share;
  return state === 'applied' || state === 'undone' ? 1 : 0;
}
