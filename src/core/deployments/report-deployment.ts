import { eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict } from '../../errors.ts';
import { DAY_MS, parseInstant } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import { type DeploymentInput, MAX_DEPLOYMENTS, type ReportedDeployment } from './contract.ts';
import { type DeploymentRow, findDeployment, findRelease, toDeployment } from './queries.ts';
import { deploymentSubject } from './subject.ts';
import { deployments } from './table.ts';

/** As for events. */
const OLDEST_MS = 3_653 * DAY_MS;

type By = { readonly scope: ProjectScope; readonly actor: Actor };

/**
 * Writes a deployment, or the facts of a known one that the input says otherwise.
 * @throws AppError 400 for a time out of range, 409 for one deployment too many
 */
export async function reportDeployment(
  ctx: Ctx,
  by: By,
  input: DeploymentInput,
): Promise<ReportedDeployment> {
  const at = timeOf(input, ctx.now());
  const known = await findRelease(ctx, by.scope.projectId, input);
  const reply =
    known !== undefined && known.deletedAt === null
      ? await update(ctx, by, { known, input, at })
      : await create(ctx, by, { known, input, at });
  // Null: a concurrent request for the same release won.
  return reply ?? reportDeployment(ctx, by, input);
}

function timeOf({ at }: DeploymentInput, now: number): Date | undefined {
  if (at === undefined) return undefined;
  const ms = parseInstant(at) ?? now;
  if (ms > now + DAY_MS) throw badRequest('at: must not be more than a day ahead');
  if (ms < now - OLDEST_MS) throw badRequest('at: must not be more than 10 years back');
  return new Date(ms);
}

type Report = { readonly input: DeploymentInput; readonly at: Date | undefined };

async function create(
  ctx: Ctx,
  { scope, actor }: By,
  { known, input, at }: Report & { readonly known: DeploymentRow | undefined },
): Promise<ReportedDeployment | null> {
  const { projectId, organizationId } = scope;
  const now = new Date(ctx.now());
  const id = known?.id ?? newId('dep', now.getTime());
  const { release, environment, commit = null, url = null, title = null } = input;
  const facts = { at: at ?? known?.firstEventAt ?? now, source: 'reported', commit, url, title } as const;
  const count = sql`(SELECT count(*) FROM deployments WHERE project_id = ${projectId})`;
  const insert = ctx.db.sql.insert(deployments).values({
    // Null, which no row can have as its id, when there are too many.
    id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_DEPLOYMENTS})`,
    organizationId,
    projectId,
    release,
    environment,
    createdAt: now,
    ...facts,
  });
  const restore = ctx.db.sql
    .update(deployments)
    .set({ ...facts, createdAt: now, deletedAt: null })
    .where(eq(deployments.id, id));
  try {
    await commitChange(ctx, actor, {
      statements: [known === undefined ? insert : restore],
      audit: [
        { action: 'deployment.created', organizationId, projectId, subject: { of: deploymentSubject, id } },
      ],
    });
  } catch (error) {
    const columns = brokenConstraint(error)?.columns ?? [];
    if (columns.includes('deployments.release')) return null;
    if (columns.includes('deployments.id'))
      throw conflict(`A project has at most ${MAX_DEPLOYMENTS} deployments; wait until old ones expire`);
    throw error;
  }
  return { ...toDeployment(await findDeployment(ctx, id, projectId)), created: true, changed: [] };
}

async function update(
  ctx: Ctx,
  { scope, actor }: By,
  { known, input, at }: Report & { readonly known: DeploymentRow },
): Promise<ReportedDeployment> {
  const { projectId, organizationId } = scope;
  const { commit = known.commit, url = known.url, title = known.title } = input;
  const facts = { at: at ?? known.at, source: 'reported', commit, url, title } as const;
  const changed = (['at', 'commit', 'url', 'title', 'source'] as const).filter(
    (fact) => facts[fact]?.valueOf() !== known[fact]?.valueOf(),
  );
  const subject = { of: deploymentSubject, id: known.id };
  if (changed.length > 0) {
    // Only what changed: a concurrent request may change something else.
    const set = Object.fromEntries(changed.map((fact) => [fact, facts[fact]]));
    await commitChange(ctx, actor, {
      statements: [ctx.db.sql.update(deployments).set(set).where(eq(deployments.id, known.id))],
      audit: [{ action: 'deployment.updated', organizationId, projectId, subject }],
    });
  }
  return { ...toDeployment(await findDeployment(ctx, known.id, projectId)), created: false, changed };
}
