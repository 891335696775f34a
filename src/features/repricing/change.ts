import { isDeepStrictEqual } from 'node:util';
import { and, eq, not, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { commitChange, toAuditActor } from '../../core/audit/index.ts';
import type { ProjectScope } from '../../core/tenancy/index.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { type AppError, conflict } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import type { RepricingRequest, RepricingState, RepricingStep } from './contract.ts';
import { findRepricing, isBusy, listBusy, listYounger, projectOf, type Repricing } from './queries.ts';
import { startRepricing } from './run.ts';
import { repricingSubject } from './subject.ts';
import { repricings } from './table.ts';

/**
 * Starts a dry run. While the same one runs, returns that one. Throws AppError 409 while the project is being re-priced
 * otherwise.
 */
export async function createRepricing(
  ctx: Ctx,
  actor: Actor,
  { scope, request }: { scope: ProjectScope; request: RepricingRequest },
): Promise<Repricing> {
  const { organizationId, projectId, no: project } = scope;
  const running = await runningOf(ctx, project, request);
  if (running !== null) return running;
  const now = new Date(ctx.now());
  const id = newId('rep', now.getTime());
  const change = {
    statements: [
      ctx.db.sql.insert(repricings).values({
        // Null, which no re-pricing can have as its id, if another one began at the same time.
        id: sql<string>`(SELECT ${id} WHERE NOT ${isBusy(project)})`,
        organizationId,
        project,
        request,
        state: 'looking',
        steps: [stepBy(ctx, actor, 'created')],
        createdAt: now,
        updatedAt: now,
      }),
    ],
    audit: [
      { action: 'repricing.created', organizationId, projectId, subject: { of: repricingSubject, id } },
    ],
  };
  try {
    await commitChange(ctx, actor, change);
  } catch (error) {
    if (!brokenConstraint(error)?.columns.includes('repricings.id')) throw error;
    const other = await runningOf(ctx, project, request);
    if (other === null) throw conflict('Another re-pricing ran at the same moment; try again', error);
    return other;
  }
  startRepricing(ctx);
  return findRepricing(ctx, id);
}

/** The project's dry run of the same request, if it runs; null if none runs. Throws 409 if another re-pricing does. */
async function runningOf(ctx: Ctx, project: number, request: RepricingRequest): Promise<Repricing | null> {
  const [busy] = await listBusy(ctx, project);
  if (busy === undefined) return null;
  if (busy.state === 'looking' && isDeepStrictEqual(busy.request, JSON.parse(JSON.stringify(request))))
    return busy;
  throw isBusyError(busy);
}

/** Applies the result of a dry run. Throws AppError 409 if its state does not allow it. */
export async function applyRepricing(ctx: Ctx, actor: Actor, row: Repricing): Promise<Repricing> {
  if (row.state !== 'ready')
    throw conflict(`The re-pricing is ${row.state}; only a ready one can be applied`);
  await refuseBusy(ctx, row.project);
  return moveTo(ctx, actor, { row, state: 'applying', step: 'applied' });
}

/** Restores the previous cost of every event. Throws AppError 409 if a later re-pricing must be undone first. */
export async function undoRepricing(ctx: Ctx, actor: Actor, row: Repricing): Promise<Repricing> {
  if (row.state !== 'applied' && row.state !== 'stopped' && row.state !== 'applying')
    throw conflict(`The re-pricing is ${row.state}; there is nothing to undo`);
  const [younger] = await listYounger(ctx, row);
  if (younger !== undefined)
    throw conflict(`The re-pricing ${younger} is newer and also changed events; undo it first`);
  if (row.state !== 'applying') await refuseBusy(ctx, row.project);
  return moveTo(ctx, actor, { row, state: 'undoing', step: 'undone' });
}

async function refuseBusy(ctx: Ctx, project: number): Promise<void> {
  const [busy] = await listBusy(ctx, project);
  if (busy !== undefined) throw isBusyError(busy);
}

const isBusyError = ({ id, state }: Repricing): AppError =>
  conflict(`The re-pricing ${id} is ${state}; wait until it has ended`);

const stepBy = (ctx: Ctx, actor: Actor, step: RepricingStep['step']): RepricingStep => {
  const { id, email } = toAuditActor(actor);
  return { step, at: formatInstant(ctx.now()), by: email ?? id };
};

async function moveTo(
  ctx: Ctx,
  actor: Actor,
  { row, state, step }: { row: Repricing; state: RepricingState; step: 'applied' | 'undone' },
): Promise<Repricing> {
  const { projectId, organizationId } = await projectOf(ctx, row.project);
  const [changed] = await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .update(repricings)
        .set({
          state,
          error: null,
          updatedAt: new Date(ctx.now()),
          steps: [...row.steps, stepBy(ctx, actor, step)],
        })
        .where(
          and(eq(repricings.id, row.id), eq(repricings.state, row.state), not(isBusy(row.project, row.id))),
        ),
    ],
    audit: [
      {
        action: `repricing.${step}`,
        organizationId,
        projectId,
        subject: { of: repricingSubject, id: row.id },
      },
    ],
  });
  if (changed === 0) throw conflict('The state of the re-pricing has changed; reload it');
  startRepricing(ctx);
  return findRepricing(ctx, row.id);
}
