import { and, desc, eq, gte, isNull, lt, lte, or, type SQL } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { badRequest, notFound } from '../../errors.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import type { Deployment, DeploymentsPage, DeploymentsQuery } from './contract.ts';
import { deployments, skippedReleases } from './table.ts';

export type DeploymentRow = typeof deployments.$inferSelect;

/** For how long a page says that releases were not kept. */
const SKIPPED_SHOWN_MS = 7 * DAY_MS;

const iso = (time: Date | null): string | null => (time === null ? null : formatInstant(time.getTime()));

/** A row as the API shows it. */
export const toDeployment = (row: DeploymentRow): Deployment => ({
  id: row.id,
  projectId: row.projectId,
  release: row.release,
  environment: row.environment,
  at: formatInstant(row.at.getTime()),
  source: row.source,
  commit: row.commit,
  url: row.url,
  title: row.title,
  firstEventAt: iso(row.firstEventAt),
  lastEventAt: iso(row.lastEventAt),
  createdAt: formatInstant(row.createdAt.getTime()),
});

/** Which deployments of a project: times in epoch milliseconds, both ends included. */
type Wanted = Pick<DeploymentsQuery, 'start' | 'end' | 'environment' | 'release'>;

const wanted = (projectId: string, { start, end, environment, release }: Wanted): SQL | undefined =>
  and(
    eq(deployments.projectId, projectId),
    isNull(deployments.deletedAt),
    start === undefined ? undefined : gte(deployments.at, new Date(start)),
    end === undefined ? undefined : lte(deployments.at, new Date(end)),
    environment === undefined ? undefined : eq(deployments.environment, environment),
    release === undefined ? undefined : eq(deployments.release, release),
  );

/** Deployments of a project, newest first, at most `limit`. */
export async function findDeployments(
  ctx: Ctx,
  projectId: string,
  { limit, ...which }: Wanted & { readonly limit: number },
): Promise<Deployment[]> {
  return (await selectRows(ctx, wanted(projectId, which), limit)).map(toDeployment);
}

/** A page of a project's deployments, newest first. Throws AppError 400 for a cursor of another endpoint. */
export async function listRows(
  ctx: Ctx,
  projectId: string,
  { cursor, limit, ...which }: Omit<DeploymentsQuery, 'effectHours'>,
): Promise<{ rows: DeploymentRow[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : olderThan(cursor);
  const found = await selectRows(ctx, and(wanted(projectId, which), after), limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last === undefined ? null : `${last.at.getTime()} ${last.id}` };
}

function olderThan(cursor: string): SQL | undefined {
  const [, at, id] = /^(-?\d{1,15}) (dep_[0-9a-f]{32})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw badRequest('cursor was not returned by this endpoint');
  const time = new Date(Number(at));
  return or(lt(deployments.at, time), and(eq(deployments.at, time), lt(deployments.id, id)));
}

const selectRows = (ctx: Ctx, where: SQL | undefined, limit: number): Promise<DeploymentRow[]> =>
  ctx.db.sql
    .select()
    .from(deployments)
    .where(where)
    .orderBy(desc(deployments.at), desc(deployments.id))
    .limit(limit);

/** One that is not deleted; of any project where none is given. Throws AppError 404. */
export async function findDeployment(ctx: Ctx, id: string, projectId?: string): Promise<DeploymentRow> {
  const of = projectId === undefined ? undefined : eq(deployments.projectId, projectId);
  const [row] = await selectRows(ctx, and(eq(deployments.id, id), isNull(deployments.deletedAt), of), 1);
  if (row === undefined) throw notFound(`There is no deployment ${id}`);
  return row;
}

/** The row of a release in an environment, also of a deleted deployment. */
export async function findRelease(
  ctx: Ctx,
  projectId: string,
  { environment, release }: { readonly environment: string; readonly release: string },
): Promise<DeploymentRow | undefined> {
  const [row] = await ctx.db.sql
    .select()
    .from(deployments)
    .where(
      and(
        eq(deployments.projectId, projectId),
        eq(deployments.environment, environment),
        eq(deployments.release, release),
      ),
    );
  return row;
}

/** What the way in must know of a project's releases. Deleted deployments are among them. */
export type ReleaseRow = Pick<
  DeploymentRow,
  'environment' | 'release' | 'firstEventAt' | 'lastEventAt' | 'createdAt' | 'source'
>;

export const listReleases = (ctx: Ctx, projectId: string): Promise<ReleaseRow[]> =>
  ctx.db.sql
    .select({
      environment: deployments.environment,
      release: deployments.release,
      firstEventAt: deployments.firstEventAt,
      lastEventAt: deployments.lastEventAt,
      createdAt: deployments.createdAt,
      source: deployments.source,
    })
    .from(deployments)
    .where(eq(deployments.projectId, projectId));

/** The newest release of the last 7 days that was not kept; null if there is none. */
export async function findSkipped(ctx: Ctx, projectId: string): Promise<DeploymentsPage['skipped']> {
  const [row] = await ctx.db.sql
    .select()
    .from(skippedReleases)
    .where(
      and(
        eq(skippedReleases.projectId, projectId),
        gte(skippedReleases.at, new Date(ctx.now() - SKIPPED_SHOWN_MS)),
      ),
    );
  if (row === undefined) return null;
  const { release, environment, at } = row;
  return { release, environment, at: formatInstant(at.getTime()) };
}
