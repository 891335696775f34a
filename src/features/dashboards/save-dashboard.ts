import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { commitChange } from '../../core/audit/index.ts';
import type { ProjectScope } from '../../core/tenancy/index.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { AppError, conflict } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { type Dashboard, type DashboardBody, MAX_DASHBOARDS } from './contract.ts';
import { findDashboard, isSeen, type Viewer } from './queries.ts';
import { dashboardSubject } from './subject.ts';
import { dashboards } from './table.ts';

/** Who works on dashboards. `all`: on shared ones of others too. */
export type Editor = {
  readonly scope: ProjectScope;
  readonly userId: string;
  readonly all: boolean;
  readonly actor: Actor;
};

const viewerOf = ({ scope, userId }: Editor): Viewer => ({ projectId: scope.projectId, userId });

/** Throws AppError 409 for a name that is taken, and for one dashboard too many. */
export async function createDashboard(ctx: Ctx, by: Editor, body: DashboardBody): Promise<Dashboard> {
  const { projectId, organizationId } = by.scope;
  const now = new Date(ctx.now());
  const id = newId('dsh', now.getTime());
  const count = sql`(SELECT count(*) FROM dashboards WHERE project_id = ${projectId})`;
  const insert = ctx.db.sql.insert(dashboards).values({
    // Null, which no dashboard can have as its id, when there are too many.
    id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_DASHBOARDS})`,
    organizationId,
    projectId,
    name: body.name,
    privateTo: body.shared ? '' : by.userId,
    tiles: body.tiles,
    revision: 1,
    createdBy: by.userId,
    createdAt: now,
    updatedAt: now,
  });
  await commit(ctx, by, { action: 'dashboard.created', id, name: body.name, statement: insert });
  return findDashboard(ctx, viewerOf(by), id);
}

type Replacement = DashboardBody & { readonly revision?: number | undefined };

/** Throws AppError 403 for another's, 404, 409 for a taken name and for a revision that is not the newest. */
export async function replaceDashboard(
  ctx: Ctx,
  by: Editor,
  { id, body }: { id: string; body: Replacement },
): Promise<Dashboard> {
  const { name, shared, tiles, revision } = body;
  const isExpected = revision === undefined ? undefined : eq(dashboards.revision, revision);
  const update = ctx.db.sql
    .update(dashboards)
    .set({
      name,
      // One that becomes private is its author's, whoever changes it.
      privateTo: shared ? '' : sql`${dashboards.createdBy}`,
      tiles,
      revision: sql`${dashboards.revision} + 1`,
      updatedAt: new Date(ctx.now()),
    })
    .where(and(isOwn(by, id), isExpected));
  const changed = await commit(ctx, by, { action: 'dashboard.updated', id, name, statement: update });
  if (changed === 0) await refuse(ctx, by, { id, revision });
  return findDashboard(ctx, { projectId: by.scope.projectId, userId: null }, id);
}

/** Throws AppError 403 for another's, 404. */
export async function deleteDashboard(ctx: Ctx, by: Editor, id: string): Promise<void> {
  const statement = ctx.db.sql.delete(dashboards).where(isOwn(by, id));
  const changed = await commit(ctx, by, { action: 'dashboard.deleted', id, statement });
  if (changed === 0) await refuse(ctx, by, { id });
}

const isOwn = (by: Editor, id: string): SQL | undefined =>
  and(eq(dashboards.id, id), isSeen(viewerOf(by)), by.all ? undefined : eq(dashboards.createdBy, by.userId));

/** Why nothing changed. */
async function refuse(
  ctx: Ctx,
  by: Editor,
  { id, revision }: { id: string; revision?: number | undefined },
): Promise<never> {
  const found = await findDashboard(ctx, viewerOf(by), id);
  if (revision !== undefined && found.revision !== revision)
    throw conflict(`${found.name} was changed meanwhile; load it again, then repeat your change`);
  const author = found.author ?? 'somebody who left';
  throw new AppError(
    403,
    `This dashboard is of ${author}; they or an admin may change it. Duplicate it instead`,
  );
}

type Change = {
  readonly action: string;
  readonly id: string;
  readonly name?: string | undefined;
  readonly statement: Parameters<typeof commitChange>[2]['statements'][number];
};

/** @returns how many dashboards changed */
async function commit(ctx: Ctx, { scope, actor }: Editor, change: Change): Promise<number> {
  const { organizationId, projectId } = scope;
  const subject = { of: dashboardSubject, id: change.id };
  try {
    const [changed = 0] = await commitChange(ctx, actor, {
      statements: [change.statement],
      audit: [{ action: change.action, organizationId, projectId, subject }],
    });
    return changed;
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken?.columns.includes('dashboards.name'))
      throw conflict(`There is a dashboard ${change.name} already`);
    if (broken?.columns.includes('dashboards.id'))
      throw conflict(`A project has at most ${MAX_DASHBOARDS} dashboards; delete one first`);
    throw error;
  }
}
