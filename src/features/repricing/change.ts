import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { commitChange, toAuditActor } from '../../core/audit/index.ts';
import type { ProjectScope } from '../../core/tenancy/index.ts';
import { newId } from '../../db/new-id.ts';
import { conflict } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Actor } from '../../module.ts';
import type { RepricingRequest, RepricingState, RepricingStep } from './contract.ts';
import { findRepricing, listBusy, listYounger, projectOf, type Repricing } from './queries.ts';
import { startRepricing } from './run.ts';
import { repricingSubject } from './subject.ts';
import { repricings } from './table.ts';

/** Starts a dry run. Throws AppError 409 while the project is being re-priced. */
export async function createRepricing(
  ctx: Ctx,
  actor: Actor,
  { scope, request }: { scope: ProjectScope; request: RepricingRequest },
): Promise<Repricing> {
  await refuseBusy(ctx, scope.no);
  const now = new Date(ctx.now());
  const id = newId('rep', now.getTime());
  const { organizationId, projectId, no: project } = scope;
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql.insert(repricings).values({
        id,
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
  });
  startRepricing(ctx);
  return findRepricing(ctx, id);
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
  if (busy !== undefined)
    throw conflict(`The re-pricing ${busy.id} is ${busy.state}; wait until it has ended`);
}

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
        .where(and(eq(repricings.id, row.id), eq(repricings.state, row.state))),
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
