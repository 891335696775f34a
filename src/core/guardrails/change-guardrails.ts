import { and, eq, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Ctx, defineEvent } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict, roleTooLow } from '../../errors.ts';
import { compileGuardrail } from '../../lib/guardrails/run-guardrails.ts';
import { nextTurn } from '../../lib/pace/next-turn.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { Role } from '../tenancy/contract.ts';
import { hasRole, type ProjectScope } from '../tenancy/index.ts';
import { type GuardrailInput, MAX_GUARDRAILS } from './input/contract.ts';
import { findGuardrail, type GuardrailRow } from './queries.ts';
import { guardrailSubject } from './subject.ts';
import { guardrails, guardrailVersions } from './table.ts';
import { openChecks, sealChecks, withLinks } from './webhook-links.ts';

/** Who changes the guardrails of a project. `by`: a person's id, or `operator`. */
export type GuardrailEditor = {
  readonly scope: ProjectScope;
  readonly actor: Actor;
  readonly by: string;
  readonly role: Role;
};

/** Guardrails of a project changed. */
export const guardrailsChanged = defineEvent<string>('guardrails.changed', 'all');

const definitionOf = ({ stage, checks, failureMode, environments, sampleRate }: GuardrailInput) => ({
  stage,
  checks,
  failureMode,
  environments,
  sampleRate,
});

/** Creates a guardrail. Throws AppError 400, 403 for a webhook without an admin, 409 for a taken name. */
export async function createGuardrail(
  ctx: Ctx,
  by: GuardrailEditor,
  input: GuardrailInput,
): Promise<GuardrailRow> {
  await check(by, input);
  const { projectId, organizationId } = by.scope;
  const now = new Date(ctx.now());
  const id = newId('grd', now.getTime());
  const count = sql`(SELECT count(*) FROM guardrails WHERE project_id = ${projectId})`;
  const checks = sealChecks(ctx, id, input.checks);
  const version = { ...definitionOf(input), checks, version: 1, createdBy: by.by, createdAt: now };
  const { name, description, enabled } = input;
  await commit(ctx, by, { action: 'guardrail.created', id, name }, [
    ctx.db.sql.insert(guardrails).values({
      // Null, which no guardrail can have as its id, when there are too many.
      id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_GUARDRAILS})`,
      organizationId,
      projectId,
      name,
      description,
      enabled,
      ...version,
      updatedAt: now,
    }),
    ctx.db.sql.insert(guardrailVersions).values({ guardrailId: id, projectId, ...version }),
  ]);
  return findGuardrail(ctx, projectId, id);
}

/** Replaces a guardrail. Throws AppError 400, 403, 404, 409 for a taken name or a change at the same time. */
export async function updateGuardrail(
  ctx: Ctx,
  by: GuardrailEditor,
  { id: given, input }: { readonly id: string; readonly input: GuardrailInput },
): Promise<GuardrailRow> {
  await check(by, input);
  const { projectId } = by.scope;
  const former = await findGuardrail(ctx, projectId, given);
  const { id } = former;
  const now = new Date(ctx.now());
  const { name, description, enabled } = input;
  const before = openChecks(ctx, id, former.checks);
  const isSame =
    JSON.stringify(definitionOf({ ...input, checks: withLinks(input.checks, before) })) ===
    JSON.stringify(
      definitionOf({ ...input, ...former, checks: before, environments: [...former.environments] }),
    );
  const checks = sealChecks(ctx, id, input.checks, before);
  const next = {
    ...definitionOf(input),
    checks,
    version: former.version + 1,
    createdBy: by.by,
    createdAt: now,
  };
  const { createdAt: _, createdBy: __, ...changed } = next;
  const update = ctx.db.sql
    .update(guardrails)
    .set({ name, description, enabled, updatedAt: now, ...(isSame ? {} : changed) })
    .where(and(eq(guardrails.id, id), eq(guardrails.version, former.version)));
  // A version that another change made at the same time breaks the key, and nothing is written.
  const insert = ctx.db.sql.insert(guardrailVersions).values({ guardrailId: id, projectId, ...next });
  const changes = await commit(
    ctx,
    by,
    { action: 'guardrail.updated', id, name },
    isSame ? [update] : [update, insert],
  );
  if (changes[0] === 0) throw conflict('The guardrail was changed at the same time; read it and try again');
  return findGuardrail(ctx, projectId, id);
}

/** Deletes a guardrail with its versions. Throws AppError 404. */
export async function deleteGuardrail(ctx: Ctx, by: GuardrailEditor, given: string): Promise<void> {
  const { id, name } = await findGuardrail(ctx, by.scope.projectId, given);
  await commit(ctx, by, { action: 'guardrail.deleted', id, name }, [
    ctx.db.sql.delete(guardrailVersions).where(eq(guardrailVersions.guardrailId, id)),
    ctx.db.sql.delete(guardrails).where(eq(guardrails.id, id)),
  ]);
}

/** Checks must compile, and a text that leaves for another server is for an admin to decide. */
async function check({ role }: GuardrailEditor, { checks }: GuardrailInput): Promise<void> {
  refuseWebhooks(role, checks);
  await refuseInvalid(checks);
}

/** Throws AppError 403 for a webhook without an admin. */
export function refuseWebhooks(role: Role, checks: GuardrailInput['checks']): void {
  if (checks.some(({ kind }) => kind === 'webhook') && !hasRole(role, 'admin'))
    throw roleTooLow(role, 'admin');
}

/** Checks whose compiling takes longer let other requests run in between. */
const SLICE_MS = 10;

/** Throws AppError 400 for a check whose settings do not compile, such as a pattern. */
export async function refuseInvalid(checks: GuardrailInput['checks']): Promise<void> {
  let paused = performance.now();
  for (const [i, one] of checks.entries()) {
    if (performance.now() - paused > SLICE_MS) {
      await nextTurn();
      paused = performance.now();
    }
    try {
      compileGuardrail({
        name: '',
        version: 1,
        stage: 'both',
        checks: [one],
        failureMode: 'open',
        environments: [],
        sampleRate: 1,
        enabled: true,
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it is not valid';
      throw badRequest(`checks.${i}.config: ${reason.slice(0, 300)}`);
    }
  }
}

type Change = { readonly action: string; readonly id: string; readonly name: string };

async function commit(
  ctx: Ctx,
  { scope, actor }: GuardrailEditor,
  { action, id, name }: Change,
  statements: readonly BatchItem<'sqlite'>[],
): Promise<number[]> {
  const { projectId, organizationId } = scope;
  const audit = [{ action, organizationId, projectId, subject: { of: guardrailSubject, id } }];
  try {
    return await commitChange(ctx, actor, { statements, audit });
  } catch (error) {
    const columns = brokenConstraint(error)?.columns ?? [];
    if (columns.includes('guardrails.name')) throw conflict(`There is already a guardrail ${name}`);
    if (columns.includes('guardrails.id'))
      throw conflict(`A project has at most ${MAX_GUARDRAILS} guardrails`);
    if (columns.includes('guardrail_versions.version'))
      throw conflict('The guardrail was changed at the same time; read it and try again');
    throw error;
  } finally {
    ctx.emit(guardrailsChanged, projectId);
  }
}
