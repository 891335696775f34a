import { createHash } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { MINUTE_MS, monthKey } from '../../../lib/time.ts';
import { type Evaluation, runEvaluator } from '../../evaluators/index.ts';
import type { EventSubject } from '../../events/index.ts';
import { forgetAnswers } from '../../models/index.ts';
import { writeScores } from '../../scores/index.ts';
import { forgetContent } from '../arrival/held-content.ts';
import { rulesOfProject } from '../arrival/rules-of-project.ts';
import { onlineRuleItems, onlineRuleMonths, onlineRules } from '../table.ts';
import type { LoadedRule } from './load-rule.ts';
import { sampleOf } from './sample-of.ts';

/** A judge that failed is asked again after these. */
const TRY_AGAIN_MS = [2 * MINUTE_MS, 20 * MINUTE_MS];

/** A waiting trace of a rule, with what is stored of it. */
export type DueTrace = {
  readonly traceId: string;
  readonly tries: number;
  readonly subject: EventSubject | null;
};

type End = {
  readonly state: 'scored' | 'skipped' | 'failed';
  readonly reason: string | null;
  readonly costNano: number;
  /** A call of the judge has no known price, so that the cost is not all. */
  readonly isUnpriced?: boolean;
};

/**
 * Judges a trace and stores score, cost and state in one transaction, so that a crash before it repeats no call that was
 * answered, and a crash after it nothing.
 * @returns its cost in nano-dollars
 * @throws AppError 429 and 5xx, which hold back the rule; the signal's reason
 */
export async function judgeTrace(
  ctx: Ctx,
  rule: LoadedRule,
  due: DueTrace,
  signal: AbortSignal,
): Promise<number> {
  const costNano = await judgeOnce(ctx, rule, due, signal);
  if (rule.judgesUnstored) await forgetIfLast(ctx, rule, due.traceId);
  return costNano;
}

async function judgeOnce(
  ctx: Ctx,
  rule: LoadedRule,
  { traceId, tries, subject }: DueTrace,
  signal: AbortSignal,
): Promise<number> {
  const { scope } = rule;
  if (subject === null)
    return end(ctx, rule, { traceId, end: skippedEnd('The trace is not stored, or was deleted') });
  if (!rule.matches(subject)) {
    // Another span may make it match.
    await ctx.db.sql.delete(onlineRuleItems).where(isItem(rule, traceId));
    return 0;
  }
  const { sample, isHeld } = sampleOf(ctx, rule, { ...subject, traceId });
  const name = createHash('sha256').update(traceId).digest('hex').slice(0, 32);
  // What may not be stored has no kept answer: after a crash the content is gone too, so it is not judged again.
  const { kind } = rule.rules;
  const own = `rule/${rule.id}/${rule.version}/${name}`;
  // A judge that failed is asked anew; a webhook knows a repetition by its id.
  const key = isHeld ? null : kind === 'judge' ? `${own}/${tries}` : kind === 'webhook' ? own : null;
  const judged = await judgeOrFail(
    ctx,
    {
      scope,
      actor: { kind: 'system', name: 'online_rules.judge' },
      rules: rule.rules,
      sample,
      key,
      ...(isHeld && { keepsContent: false as const }),
      tags: { evaluator: rule.evaluator, rule: rule.name },
    },
    signal,
  );
  const keys = key === null ? [] : [key];
  if (judged.status === 'skipped') return end(ctx, rule, { traceId, end: skippedEnd(judged.reason), keys });
  const costNano = Math.round((judged.costUsd ?? 0) * 1e9);
  const isUnpriced = judged.costUsd === null;
  if (judged.status === 'failed') {
    const wait = isHeld ? undefined : TRY_AGAIN_MS[tries];
    const failed: End = { state: 'failed', reason: judged.reason, costNano, isUnpriced };
    return end(ctx, rule, { traceId, end: failed, keys, ...(wait !== undefined && { wait }) });
  }
  const scored = { traceId, end: { state: 'scored', reason: null, costNano, isUnpriced } as const, keys };
  await writeScores(
    ctx,
    { scope, actor: { kind: 'system', name: 'online_rules.judge' } },
    [
      {
        name: rule.scoreName,
        value: judged.value,
        traceId,
        source: 'evaluator',
        comment: isHeld ? undefined : (judged.reason ?? undefined),
        scoreId: `${rule.id}:${name}`,
        evaluator: { id: rule.evaluatorId, version: rule.version },
        judgeEventId: judged.eventId,
      },
    ],
    endStatements(ctx, rule, scored),
  );
  return costNano;
}

const skippedEnd = (reason: string): End => ({ state: 'skipped', reason, costNano: 0 });

/** What is wrong with this trace alone is its failure; what holds back all is thrown. */
async function judgeOrFail(ctx: Ctx, evaluation: Evaluation, signal: AbortSignal) {
  try {
    const judged = await runEvaluator(ctx, evaluation, { signal });
    if (judged.status === 'failed') signal.throwIfAborted();
    return judged;
  } catch (error) {
    const isOfTrace = error instanceof AppError && error.status < 500 && error.status !== 429;
    if (!isOfTrace) throw error;
    return { status: 'failed' as const, reason: error.message, costUsd: 0, eventId: null };
  }
}

type Ended = {
  readonly traceId: string;
  readonly end: End;
  readonly keys?: readonly string[];
  /** Of a failure that is tried again, in milliseconds. */
  readonly wait?: number;
};

async function end(ctx: Ctx, rule: LoadedRule, ended: Ended): Promise<number> {
  const [first, ...rest] = endStatements(ctx, rule, ended);
  await ctx.db.sql.batch([first, ...rest]);
  return ended.end.costNano;
}

const isItem = (rule: LoadedRule, traceId: string) =>
  and(
    eq(onlineRuleItems.ruleId, rule.id),
    eq(onlineRuleItems.traceId, traceId),
    eq(onlineRuleItems.state, 'waiting'),
  );

/** The state of the trace, the sums of the month, and the end of kept answers. */
function endStatements(ctx: Ctx, rule: LoadedRule, { traceId, end: ended, keys = [], wait }: Ended) {
  const now = ctx.now();
  const { state, reason, costNano, isUnpriced = false } = ended;
  const cost = isUnpriced ? null : sql`coalesce(${onlineRuleItems.costNano}, 0) + ${costNano}`;
  const set =
    wait === undefined
      ? { state, reason, version: rule.version, judgedAt: new Date(now), costNano: cost }
      : { tries: sql`tries + 1`, reason, costNano: cost, dueAt: new Date(now + wait) };
  const item = ctx.db.sql.update(onlineRuleItems).set(set).where(isItem(rule, traceId));
  const counted = wait === undefined ? { [state]: 1 } : {};
  const month = ctx.db.sql
    .insert(onlineRuleMonths)
    .values({
      ruleId: rule.id,
      month: monthKey(now),
      projectId: rule.scope.projectId,
      spentNano: costNano,
      unpriced: isUnpriced ? 1 : 0,
      ...counted,
    })
    .onConflictDoUpdate({
      target: [onlineRuleMonths.ruleId, onlineRuleMonths.month],
      set: {
        scored: sql`scored + excluded.scored`,
        skipped: sql`skipped + excluded.skipped`,
        failed: sql`failed + excluded.failed`,
        spentNano: sql`spent_nano + excluded.spent_nano`,
        unpriced: sql`unpriced + excluded.unpriced`,
      },
    });
  return [item, month, ...(keys.length === 0 ? [] : [forgetAnswers(ctx, rule.scope, keys)])] as const;
}

/** Forgets the content of a trace, unless another rule still waits to judge it. */
async function forgetIfLast(ctx: Ctx, { id, scope }: LoadedRule, traceId: string): Promise<void> {
  const others = (await rulesOfProject(ctx, scope.projectId)).flatMap((one) =>
    one.id === id || !one.judgesUnstored ? [] : one.id,
  );
  const waiting = await ctx.db.sql
    .select({ id: onlineRuleItems.ruleId })
    .from(onlineRuleItems)
    .where(
      and(
        inArray(onlineRuleItems.ruleId, others),
        eq(onlineRuleItems.traceId, traceId),
        eq(onlineRuleItems.state, 'waiting'),
      ),
    )
    .limit(1);
  if (waiting.length === 0) forgetContent(ctx, scope.no, traceId);
}

/** Holds back a rule until a time. */
export const holdRule = (
  ctx: Ctx,
  id: string,
  held: { readonly until: number; readonly reason: string; readonly isCapped: boolean },
) =>
  ctx.db.sql
    .update(onlineRules)
    .set({ heldUntil: new Date(held.until), heldReason: held.reason, isCapped: held.isCapped })
    .where(eq(onlineRules.id, id));
