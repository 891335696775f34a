import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { formatInstant, monthKey } from '../../lib/time.ts';
import { listEvaluators } from '../evaluators/index.ts';
import { readIngestSettings } from '../projects/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { ITEM_STATES, OnlineRule, RuleItem } from './contract.ts';
import { onlineRuleItems, onlineRuleMonths, onlineRules } from './table.ts';

export type RuleRow = typeof onlineRules.$inferSelect;

const toUsd = (nano: number): number => nano / 1e9;
const instant = (time: Date | null): string | null => (time === null ? null : formatInstant(time.getTime()));

/** The rules of a project by name, with their figures; with `id` only that one. */
export async function listRules(ctx: Ctx, scope: ProjectScope, id?: string): Promise<OnlineRule[]> {
  const rows = await ctx.db.sql
    .select()
    .from(onlineRules)
    .where(
      and(eq(onlineRules.projectId, scope.projectId), id === undefined ? undefined : eq(onlineRules.id, id)),
    )
    .orderBy(asc(onlineRules.name));
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const [evaluators, months, backlogs, { storePrompts }] = await Promise.all([
    listEvaluators(
      ctx,
      scope.projectId,
      rows.map(({ evaluatorId }) => evaluatorId),
    ),
    readMonths(ctx, ids),
    readBacklogs(ctx, ids),
    readIngestSettings(ctx, scope),
  ]);
  return rows.map((row) => {
    const evaluator = evaluators.find((one) => one.id === row.evaluatorId);
    const month = months.get(row.id);
    const { scored = 0, skipped = 0, failed = 0, dropped = 0, spentNano = 0, unpriced = 0 } = month ?? {};
    return {
      id: row.id,
      name: row.name,
      evaluatorId: row.evaluatorId,
      evaluator: evaluator?.name ?? null,
      scoreName: evaluator?.scoreName ?? null,
      filter: row.filter,
      sampleRate: row.sampleRate,
      delaySeconds: row.delaySeconds,
      monthlyUsd: row.capNano === null ? null : toUsd(row.capNano),
      judgesUnstored: row.judgesUnstored,
      enabled: row.enabled,
      content: storePrompts ? 'stored' : row.judgesUnstored ? 'memory' : 'none',
      ...stateOf(ctx, row),
      ...(backlogs.get(row.id) ?? { waiting: 0, due: 0 }),
      month: { scored, skipped, failed, dropped, costUsd: toUsd(spentNano), unpriced },
      backfill: backfillOf(row),
      createdAt: formatInstant(row.createdAt.getTime()),
      updatedAt: formatInstant(row.updatedAt.getTime()),
    };
  });
}

/** One of a project. Throws AppError 404. */
export async function findRule(ctx: Ctx, scope: ProjectScope, id: string): Promise<OnlineRule> {
  const [found] = await listRules(ctx, scope, id);
  if (found === undefined) throw notFound(`There is no online rule ${id}`);
  return found;
}

function stateOf(ctx: Ctx, row: RuleRow): Pick<OnlineRule, 'state' | 'stateReason' | 'heldUntil'> {
  const isHeld = row.heldUntil !== null && row.heldUntil.getTime() > ctx.now();
  if (isHeld)
    return {
      state: row.isCapped ? 'capped' : 'held',
      stateReason: row.heldReason,
      heldUntil: instant(row.heldUntil),
    };
  return { state: row.enabled ? 'running' : 'off', stateReason: null, heldUntil: null };
}

function backfillOf(row: RuleRow): OnlineRule['backfill'] {
  const [start, end] = [instant(row.backfillFrom), instant(row.backfillTo)];
  if (start === null || end === null) return null;
  return {
    start,
    end,
    state: row.backfillCursor === null ? 'done' : 'running',
    added: row.backfillAdded,
  };
}

async function readMonths(ctx: Ctx, ids: readonly string[]) {
  const rows = await ctx.db.sql
    .select()
    .from(onlineRuleMonths)
    .where(and(inArray(onlineRuleMonths.ruleId, [...ids]), eq(onlineRuleMonths.month, monthKey(ctx.now()))));
  return new Map(rows.map((row) => [row.ruleId, row]));
}

async function readBacklogs(ctx: Ctx, ids: readonly string[]) {
  const isDue = sql<number>`coalesce(sum(${onlineRuleItems.dueAt} <= ${ctx.now()}), 0)`;
  const rows = await ctx.db.sql
    .select({ id: onlineRuleItems.ruleId, waiting: sql<number>`count(*)`, due: isDue })
    .from(onlineRuleItems)
    .where(and(inArray(onlineRuleItems.ruleId, [...ids]), eq(onlineRuleItems.state, 'waiting')))
    .groupBy(onlineRuleItems.ruleId);
  return new Map(rows.map(({ id, waiting, due }) => [id, { waiting: Number(waiting), due: Number(due) }]));
}

/** Traces of a rule in a state: what waits, first due first, the others newest first. */
export async function listItems(
  ctx: Ctx,
  ruleId: string,
  { state, limit }: { readonly state: (typeof ITEM_STATES)[number]; readonly limit: number },
): Promise<RuleItem[]> {
  const order = state === 'waiting' ? asc(onlineRuleItems.dueAt) : desc(onlineRuleItems.dueAt);
  const rows = await ctx.db.sql
    .select()
    .from(onlineRuleItems)
    .where(and(eq(onlineRuleItems.ruleId, ruleId), eq(onlineRuleItems.state, state)))
    .orderBy(order)
    .limit(limit);
  return rows.map((row) => ({
    traceId: row.traceId,
    state: row.state,
    reason: row.reason,
    tries: row.tries,
    dueAt: formatInstant(row.dueAt.getTime()),
    judgedAt: instant(row.judgedAt),
    costUsd: row.costNano === null ? null : toUsd(row.costNano),
  }));
}
