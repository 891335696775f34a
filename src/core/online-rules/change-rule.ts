import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { definitionOf, findEvaluatorRules } from '../evaluators/index.ts';
import { deleteInSlices } from '../jobs/index.ts';
import { ensureDefinition } from '../scores/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import { rulesChanged } from './arrival/rules-of-project.ts';
import { MAX_RULES, type OnlineRule, type RuleInput } from './contract.ts';
import { subjectFilter } from './judge/match-subject.ts';
import { findRule } from './queries.ts';
import { ruleSubject } from './subject.ts';
import { onlineRuleItems, onlineRuleMonths, onlineRules } from './table.ts';

/** Who changes rules. `by`: a person's id, or `operator`. */
export type RuleEditor = { readonly scope: ProjectScope; readonly actor: Actor; readonly by: string };

/** Throws AppError 400 for a filter that traces do not have, 404 without the evaluator, 409 for a score of another type. */
async function check(
  ctx: Ctx,
  { scope, actor }: RuleEditor,
  { evaluatorId, filter }: RuleInput,
): Promise<void> {
  subjectFilter(filter);
  const { evaluator, rules } = await findEvaluatorRules(ctx, scope.projectId, evaluatorId);
  if (needsExpected(evaluator))
    throw badRequest(
      `evaluatorId: ${evaluator.name} compares with an expected output, which traces do not have; use it in experiments`,
    );
  await ensureDefinition(ctx, { scope, actor }, definitionOf(rules, evaluator.scoreName));
}

function needsExpected({ kind, config }: Pick<OnlineEvaluator, 'kind' | 'config'>): boolean {
  if (kind === 'exact' || kind === 'numeric' || kind === 'similarity') return true;
  if (kind === 'contains') return !('texts' in config);
  return kind === 'judge' && /\{\{\s*(expected|context)\s*\}\}/.test(JSON.stringify(config));
}
type OnlineEvaluator = Awaited<ReturnType<typeof findEvaluatorRules>>['evaluator'];

const columnsOf = (input: RuleInput) => ({
  name: input.name,
  evaluatorId: input.evaluatorId,
  filter: input.filter,
  sampleRate: input.sampleRate,
  delaySeconds: input.delaySeconds,
  capNano: input.monthlyUsd === null ? null : Math.round(input.monthlyUsd * 1e9),
  judgesUnstored: input.judgesUnstored,
  enabled: input.enabled,
});

/** Throws AppError 400, 404, 409 for a name that exists, and for one rule too many. */
export async function createRule(ctx: Ctx, editor: RuleEditor, input: RuleInput): Promise<OnlineRule> {
  await check(ctx, editor, input);
  const { organizationId, projectId } = editor.scope;
  const now = new Date(ctx.now());
  const id = newId('orl', now.getTime());
  const count = sql`(SELECT count(*) FROM online_rules WHERE project_id = ${projectId})`;
  const row = {
    ...columnsOf(input),
    // Null, which no row can have, when there are too many.
    id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_RULES})`,
    organizationId,
    projectId,
    createdBy: editor.by,
    createdAt: now,
    updatedAt: now,
  };
  await commit(ctx, editor, {
    statements: [ctx.db.sql.insert(onlineRules).values(row)],
    note: { action: 'online_rule.created', id, name: input.name },
  });
  return findRule(ctx, editor.scope, id);
}

/** Replaces a rule, which is held back no more. Throws AppError 400, 404, 409. */
export async function changeRule(
  ctx: Ctx,
  editor: RuleEditor,
  { id, input }: { readonly id: string; readonly input: RuleInput },
): Promise<OnlineRule> {
  await findRule(ctx, editor.scope, id);
  await check(ctx, editor, input);
  const set = {
    ...columnsOf(input),
    heldUntil: null,
    heldReason: null,
    isCapped: false,
    updatedAt: new Date(ctx.now()),
  };
  await commit(ctx, editor, {
    statements: [ctx.db.sql.update(onlineRules).set(set).where(isRule(editor.scope, id))],
    note: { action: 'online_rule.updated', id, name: input.name },
  });
  return findRule(ctx, editor.scope, id);
}

/** Deletes a rule with its backlog; a repetition completes what was interrupted. Scores stay. Throws AppError 404. */
export async function deleteRule(ctx: Ctx, editor: RuleEditor, id: string): Promise<void> {
  await findRule(ctx, editor.scope, id);
  const slice = { table: 'online_rule_items', key: ['trace_id'], prefix: 'rule_id = ?' };
  const { signal } = new AbortController();
  await deleteInSlices(slice, { prefix: id }, { ctx, signal });
  await commit(ctx, editor, {
    statements: [
      ctx.db.sql.delete(onlineRules).where(isRule(editor.scope, id)),
      ctx.db.sql.delete(onlineRuleMonths).where(eq(onlineRuleMonths.ruleId, id)),
      // Those that arrived since.
      ctx.db.sql.delete(onlineRuleItems).where(eq(onlineRuleItems.ruleId, id)),
    ],
    note: { action: 'online_rule.deleted', id, name: '' },
  });
}

export const isRule = ({ projectId }: Pick<ProjectScope, 'projectId'>, id: string) =>
  and(eq(onlineRules.projectId, projectId), eq(onlineRules.id, id));

type Change = {
  readonly statements: Parameters<typeof commitChange>[2]['statements'];
  readonly note: { readonly action: string; readonly id: string; readonly name: string };
};

/** Commits a change of a rule with its audit entry, and has the arrival of events know it. */
export async function commit(ctx: Ctx, editor: RuleEditor, { statements, note }: Change): Promise<void> {
  const { organizationId, projectId } = editor.scope;
  const { action, id, name } = note;
  try {
    await commitChange(ctx, editor.actor, {
      statements,
      audit: [{ action, organizationId, projectId, subject: { of: ruleSubject, id } }],
    });
  } catch (error) {
    const columns = brokenConstraint(error)?.columns ?? [];
    if (columns.includes('online_rules.name'))
      throw conflict(`There is an online rule named ${name}; choose another name`);
    if (columns.includes('online_rules.id'))
      throw conflict(`A project has at most ${MAX_RULES} online rules; delete one first`);
    throw error;
  }
  ctx.emit(rulesChanged, projectId);
}
