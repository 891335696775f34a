import { and, asc, eq, exists, isNull, lte, or, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { MINUTE_MS, startOfNextMonth } from '../../../lib/time.ts';
import type { Job } from '../../../module.ts';
import { eventsOf } from '../../events/index.ts';
import { ofProject } from '../../tenancy/index.ts';
import type { RuleRow } from '../queries.ts';
import { onlineRuleItems, onlineRules } from '../table.ts';
import { type DueTrace, holdRule, judgeTrace } from './judge-trace.ts';
import { type LoadedRule, loadRule } from './load-rule.ts';
import { CapReached, openPurse, type Purse } from './purse.ts';
import { sampleOf } from './sample-of.ts';

/** Rules of a run, traces that are read at a time, and judges that a rule asks at a time. */
const MAX_RULES = 200;
const PAGE = 20;
const AT_A_TIME = 5;
/** A run ends after this; the next one goes on. */
const RUN_MS = 50_000;
/** What is not the rule's fault is tried again after this. */
const HOLD_MS = 5 * MINUTE_MS;

/** `online_rules.judge`: judges the traces that have been quiet for the delays of their rules. */
export const judgeJob: Job = {
  name: 'online_rules.judge',
  summary: 'Judge new traces by the online rules of their projects',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const since = performance.now();
    // No call is cut off at the end of a run: it would be paid for again.
    const run: Run = { signal, isOver: () => signal.aborted || performance.now() - since > RUN_MS };
    const rows = await dueRules(ctx);
    const judged = await Promise.all(rows.map((row) => judgeRule(ctx, row, run)));
    const traces = judged.reduce((sum, one) => sum + one, 0);
    return traces === 0 ? {} : { rules: rows.length, traces };
  },
};

type Run = { readonly signal: AbortSignal; readonly isOver: () => boolean };

/** Enabled rules with a due trace that nothing holds back. */
function dueRules(ctx: Ctx): Promise<RuleRow[]> {
  const now = new Date(ctx.now());
  const isDue = and(
    eq(onlineRuleItems.ruleId, onlineRules.id),
    eq(onlineRuleItems.state, 'waiting'),
    lte(onlineRuleItems.dueAt, now),
  );
  return ctx.db.sql
    .select()
    .from(onlineRules)
    .where(
      and(
        eq(onlineRules.enabled, true),
        or(isNull(onlineRules.heldUntil), lte(onlineRules.heldUntil, now)),
        exists(ctx.db.sql.select({ one: sql`1` }).from(onlineRuleItems).where(isDue)),
      ),
    )
    .limit(MAX_RULES);
}

/** Judges the due traces of a rule, and returns their number. What goes wrong holds back the rule, with the reason. */
async function judgeRule(ctx: Ctx, row: RuleRow, run: Run): Promise<number> {
  let judged = 0;
  try {
    const rule = await loadRule(ctx, row);
    const purse = await openPurse(ctx, rule);
    for (let left = true; left && !run.isOver(); ) {
      const due = await dueTraces(ctx, rule);
      left = due.length === PAGE;
      await judgePage(ctx, rule, { due, purse, run });
      judged += due.length;
    }
  } catch (error) {
    if (run.signal.aborted) return judged;
    await hold(ctx, row, error);
  }
  return judged;
}

async function hold(ctx: Ctx, { id }: RuleRow, error: unknown): Promise<void> {
  const now = ctx.now();
  if (error instanceof CapReached) {
    await holdRule(ctx, id, { until: startOfNextMonth(now), reason: error.message, isCapped: true });
    return;
  }
  const isKnown = error instanceof AppError;
  if (!isKnown) ctx.log.error({ err: error, rule: id }, 'an online rule stopped');
  const reason = isKnown ? error.message : 'An internal error; it is in the log of the server';
  await holdRule(ctx, id, { until: now + HOLD_MS, reason, isCapped: false });
}

async function dueTraces(ctx: Ctx, rule: LoadedRule): Promise<DueTrace[]> {
  const items = await ctx.db.sql
    .select({ traceId: onlineRuleItems.traceId, tries: onlineRuleItems.tries })
    .from(onlineRuleItems)
    .where(
      and(
        eq(onlineRuleItems.ruleId, rule.id),
        eq(onlineRuleItems.state, 'waiting'),
        lte(onlineRuleItems.dueAt, new Date(ctx.now())),
      ),
    )
    .orderBy(asc(onlineRuleItems.dueAt))
    .limit(PAGE);
  if (items.length === 0) return [];
  const of = items.map(({ traceId }) => ({ traceId }));
  const subjects = await eventsOf(ctx).subjects(ofProject(rule.scope), { of, content: true });
  return items.map((item, i) => ({ ...item, subject: subjects[i] ?? null }));
}

type Page = { readonly due: readonly DueTrace[]; readonly purse: Purse; readonly run: Run };

/** Judges some traces at a time. After an error no other is begun; it is thrown when those under way have ended. */
async function judgePage(ctx: Ctx, rule: LoadedRule, { due, purse, run }: Page): Promise<void> {
  const queue = due.values();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const one of queue) {
      if (failures.length > 0 || run.isOver()) return;
      const { subject, traceId } = one;
      const sample =
        subject === null || !rule.matches(subject) ? {} : sampleOf(ctx, rule, { ...subject, traceId }).sample;
      try {
        await purse.pay(sample, () => judgeTrace(ctx, rule, one, run.signal));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  if (failures.length > 0) throw failures[0];
}
