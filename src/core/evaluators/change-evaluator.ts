import { isDeepStrictEqual } from 'node:util';
import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict, roleTooLow } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { OutboundError, outboundOf } from '../outbound/index.ts';
import type { Role } from '../tenancy/contract.ts';
import { hasRole, type ProjectScope } from '../tenancy/index.ts';
import type { EvaluatorInput, EvaluatorRules } from './config/contract.ts';
import { type Evaluator, MAX_EVALUATORS, MAX_VERSIONS } from './contract.ts';
import { checkTemplates } from './judges/judge-messages.ts';
import { findEvaluator, findEvaluatorRules } from './queries.ts';
import { checkRules } from './run/compare.ts';
import { evaluatorSubject, evaluatorVersionSubject } from './subject.ts';
import { evaluators, evaluatorVersions } from './table.ts';
import { fillWebhook, openWebhook, sealWebhook } from './webhook/webhook-secrets.ts';

/** Who changes evaluators. `by`: id of the person. */
export type Editor = {
  readonly scope: ProjectScope;
  readonly actor: Actor;
  readonly by: string;
  readonly role: Role;
};

/** @throws AppError 400 for a pattern, schema or template that cannot be used */
export function checkEvaluator(input: EvaluatorRules): void {
  checkRules(input);
  if (input.kind === 'judge') checkTemplates(input.config);
}

/** Throws AppError 400, 403 for a webhook without an admin, 409 for a name that exists, and for one evaluator too many. */
export async function createEvaluator(ctx: Ctx, editor: Editor, input: EvaluatorInput): Promise<Evaluator> {
  checkEvaluator(input);
  const config = storedConfig(ctx, editor, openRules(ctx, editor, input, null));
  const { organizationId, projectId } = editor.scope;
  const now = new Date(ctx.now());
  const id = newId('evl', now.getTime());
  const count = sql`(SELECT count(*) FROM evaluators WHERE project_id = ${projectId})`;
  try {
    await commitChange(ctx, editor.actor, {
      statements: [
        ctx.db.sql.insert(evaluators).values({
          // Null, which no row can have, when there are too many.
          id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_EVALUATORS})`,
          organizationId,
          projectId,
          name: input.name,
          description: input.description,
          version: 1,
          createdBy: editor.by,
          createdAt: now,
          updatedAt: now,
        }),
        ctx.db.sql
          .insert(evaluatorVersions)
          .values(versionRow(editor, { id, version: 1, input, config, now })),
      ],
      audit: [
        { action: 'evaluator.created', organizationId, projectId, subject: { of: evaluatorSubject, id } },
      ],
    });
  } catch (error) {
    throw toConflict(error, input.name);
  }
  return findEvaluator(ctx, projectId, id);
}

/** Changes name and description; another way to judge makes a version. Throws AppError 400, 403, 404, 409. */
export async function changeEvaluator(
  ctx: Ctx,
  editor: Editor,
  { id, input }: { readonly id: string; readonly input: EvaluatorInput },
): Promise<Evaluator> {
  checkEvaluator(input);
  const { organizationId, projectId } = editor.scope;
  const { evaluator: known, rules: former } = await findEvaluatorRules(ctx, projectId, id);
  const now = new Date(ctx.now());
  const rules = openRules(ctx, editor, input, former);
  const before = opened(ctx, projectId, former);
  const isOther =
    known.scoreName !== input.scoreName ||
    before === null ||
    !isDeepStrictEqual(ruleFacts(before), ruleFacts(rules));
  const config = storedConfig(ctx, editor, rules);
  const version = isOther ? known.version + 1 : known.version;
  if (version > MAX_VERSIONS)
    throw conflict(`An evaluator has at most ${MAX_VERSIONS} versions; create another one`);
  const { name, description } = input;
  try {
    const [changed] = await commitChange(ctx, editor.actor, {
      statements: [
        ctx.db.sql
          .update(evaluators)
          .set({ name, description, version, updatedAt: now })
          .where(and(eq(evaluators.id, id), eq(evaluators.version, known.version))),
        ...(isOther
          ? [
              ctx.db.sql
                .insert(evaluatorVersions)
                .values(versionRow(editor, { id, version, input, config, now })),
            ]
          : []),
      ],
      audit: [
        { action: 'evaluator.updated', organizationId, projectId, subject: { of: evaluatorSubject, id } },
        ...(isOther
          ? [
              {
                action: 'evaluator.version_created',
                organizationId,
                projectId,
                subject: { of: evaluatorVersionSubject, id: [id, String(version)] },
              },
            ]
          : []),
      ],
    });
    if (changed === 0) throw conflict('The evaluator was changed at the same time; load it again');
  } catch (error) {
    throw toConflict(error, name);
  }
  return findEvaluator(ctx, projectId, id);
}

/** Throws AppError 404. Scores that it gave stay. */
export async function deleteEvaluator(ctx: Ctx, { scope, actor }: Editor, id: string): Promise<void> {
  const { organizationId, projectId } = scope;
  await findEvaluator(ctx, projectId, id);
  await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql.delete(evaluators).where(and(eq(evaluators.projectId, projectId), eq(evaluators.id, id))),
      ctx.db.sql
        .delete(evaluatorVersions)
        .where(and(eq(evaluatorVersions.projectId, projectId), eq(evaluatorVersions.evaluatorId, id))),
    ],
    audit: [
      { action: 'evaluator.deleted', organizationId, projectId, subject: { of: evaluatorSubject, id } },
    ],
  });
}

/**
 * Rules as they are given, with all secrets in the open.
 * @param former as stored; null for a new evaluator
 * @throws AppError 400 for a link that this server does not ask, and for a shown secret that is not the former one; 403 for
 * a webhook without an admin, since texts leave for another server
 */
export function openRules<R extends EvaluatorRules>(
  ctx: Ctx,
  { scope, role }: Pick<Editor, 'scope' | 'role'>,
  given: R,
  former: EvaluatorRules | null,
): R {
  if (given.kind !== 'webhook') return given;
  if (!hasRole(role, 'admin')) throw roleTooLow(role, 'admin');
  const before = former?.kind === 'webhook' ? openWebhook(ctx, scope.projectId, former.config) : null;
  const config = fillWebhook(given.config, before);
  try {
    outboundOf(ctx).check(config.url);
  } catch (error) {
    if (error instanceof OutboundError) throw badRequest(`config.url: ${error.message}`);
    throw error;
  }
  return { ...given, config };
}

/** Stored rules with their secrets in the open; null after a change of the server's secret. */
function opened(ctx: Ctx, projectId: string, rules: EvaluatorRules): EvaluatorRules | null {
  if (rules.kind !== 'webhook') return rules;
  const config = openWebhook(ctx, projectId, rules.config);
  return config === null ? null : { ...rules, config };
}

const storedConfig = (ctx: Ctx, { scope }: Editor, rules: EvaluatorRules): object =>
  rules.kind === 'webhook' ? sealWebhook(ctx, scope.projectId, rules.config) : rules.config;

/** The part of an evaluator that decides its scores. */
const ruleFacts = ({ kind, config, ...rest }: { kind: string; config: object }): object => ({
  kind,
  config,
  output: 'output' in rest ? rest.output : null,
});

type VersionFacts = {
  readonly id: string;
  readonly version: number;
  readonly input: EvaluatorInput;
  /** As it is stored. */
  readonly config: object;
  readonly now: Date;
};

const versionRow = ({ scope, by }: Editor, { id, version, input, config, now }: VersionFacts) => ({
  evaluatorId: id,
  version,
  projectId: scope.projectId,
  kind: input.kind,
  config,
  output: 'output' in input ? input.output : null,
  scoreName: input.scoreName,
  createdBy: by,
  createdAt: now,
});

function toConflict(error: unknown, name: string): unknown {
  const columns = brokenConstraint(error)?.columns ?? [];
  if (columns.includes('evaluators.name'))
    return conflict(`There is an evaluator named ${name}; choose another name`);
  if (columns.includes('evaluators.id'))
    return conflict(`A project has at most ${MAX_EVALUATORS} evaluators; delete one first`);
  if (columns.includes('evaluator_versions.version'))
    return conflict('The evaluator was changed at the same time; load it again');
  return error;
}
