import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { Job } from '../../../module.ts';
import { isSampled } from '../../events/index.ts';
import { MAX_WAITING } from '../contract.ts';
import { holdRule } from '../judge/judge-trace.ts';
import { loadRule } from '../judge/load-rule.ts';
import type { RuleRow } from '../queries.ts';
import { onlineRuleItems, onlineRules } from '../table.ts';
import { tracesPage } from './traces-page.ts';

/** Cursor of a back-fill that has not begun; null is one that is done. */
export const FIRST_PAGE = '';

/** `online_rules.backfill`: adds the traces of past windows to the backlogs, page by page, and goes on after a crash. */
export const backfillJob: Job = {
  name: 'online_rules.backfill',
  summary: 'Add the stored traces of back-fills to the backlogs of online rules',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const rows = await ctx.db.sql
      .select()
      .from(onlineRules)
      .where(and(isNotNull(onlineRules.backfillCursor), eq(onlineRules.enabled, true)))
      .limit(200);
    let added = 0;
    for (const row of rows) added += await backfill(ctx, row, signal);
    return rows.length === 0 ? {} : { rules: rows.length, added };
  },
};

async function backfill(ctx: Ctx, row: RuleRow, signal: AbortSignal): Promise<number> {
  const { id, backfillFrom, backfillTo, backfillAgain, sampleRate } = row;
  if (backfillFrom === null || backfillTo === null) return 0;
  let rule: Awaited<ReturnType<typeof loadRule>>;
  try {
    rule = await loadRule(ctx, row);
  } catch (error) {
    await holdRule(ctx, id, { until: ctx.now() + 60_000, reason: String(error), isCapped: false });
    return 0;
  }
  const window = { from: backfillFrom.getTime(), to: backfillTo.getTime() };
  let added = 0;
  for (let cursor = row.backfillCursor; cursor !== null && !signal.aborted; ) {
    if ((await waitingOf(ctx, id)) >= MAX_WAITING) break;
    const page = await tracesPage(ctx, rule.scope, { window, cursor });
    const ids = page.ids.filter((one) => isSampled(one, sampleRate));
    added += await addPage(ctx, row, {
      ids,
      project: rule.scope.no,
      next: page.next,
      before: cursor,
      again: backfillAgain ? rule.version : 0,
    });
    cursor = page.next;
  }
  return added;
}

async function waitingOf(ctx: Ctx, id: string): Promise<number> {
  const isWaiting = and(eq(onlineRuleItems.ruleId, id), eq(onlineRuleItems.state, 'waiting'));
  return ctx.db.sql.$count(onlineRuleItems, isWaiting);
}

type Page = {
  readonly ids: readonly string[];
  readonly project: number;
  readonly next: string | null;
  readonly before: string;
  /** Traces that an older version judged are judged again; 0 for none. */
  readonly again: number;
};

/** One transaction: the traces, and where the back-fill goes on. A trace that waits or was judged is left as it is. */
async function addPage(ctx: Ctx, { id }: RuleRow, page: Page): Promise<number> {
  const now = ctx.now();
  const { ids, project, next, before, again } = page;
  const isIt = and(eq(onlineRules.id, id), eq(onlineRules.backfillCursor, before));
  const insert = ctx.db.sql
    .insert(onlineRuleItems)
    .select(
      sql`SELECT ${id}, value, ${project}, 'waiting', ${now}, ${now}, 0, NULL, NULL, NULL, NULL FROM json_each(${JSON.stringify(ids)}) WHERE true`,
    )
    .onConflictDoUpdate({
      target: [onlineRuleItems.ruleId, onlineRuleItems.traceId],
      set: { state: 'waiting', dueAt: sql`excluded.due_at`, tries: 0, reason: null },
      setWhere: sql`online_rule_items.state <> 'waiting' AND online_rule_items.version < ${again}`,
    });
  await ctx.db.sql.batch([
    insert,
    ctx.db.sql
      .update(onlineRules)
      .set({ backfillCursor: next, backfillAdded: sql`backfill_added + changes()` })
      .where(isIt),
  ]);
  return ids.length;
}
