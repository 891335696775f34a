import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { commit, isRule, type RuleEditor } from '../change-rule.ts';
import type { BackfillEstimate, BackfillInput } from '../contract.ts';
import { loadRule } from '../judge/load-rule.ts';
import { findRule } from '../queries.ts';
import { onlineRules } from '../table.ts';
import { FIRST_PAGE } from './backfill-job.ts';
import { planBackfill } from './plan-backfill.ts';

/**
 * Estimates a back-fill, and starts it unless that is all. A newer one takes the place of one that is running.
 * @throws AppError 400 for a rule that is off, and for traces without content; 404
 */
export async function startBackfill(
  ctx: Ctx,
  editor: RuleEditor,
  { id, input }: { readonly id: string; readonly input: BackfillInput },
): Promise<BackfillEstimate> {
  const { name, enabled, sampleRate } = await findRule(ctx, editor.scope, id);
  const [row] = await ctx.db.sql.select().from(onlineRules).where(eq(onlineRules.id, id));
  if (row === undefined || !enabled) throw badRequest('The rule is off; turn it on first');
  const rule = await loadRule(ctx, row);
  const window = { from: Date.parse(input.start), to: Date.parse(input.end) };
  const estimate = await planBackfill(ctx, rule, { window, rejudge: input.rejudge, sampleRate });
  const isStarted = !input.dryRun && estimate.traces > 0;
  if (isStarted) {
    const set = {
      backfillFrom: new Date(window.from),
      backfillTo: new Date(window.to),
      backfillCursor: FIRST_PAGE,
      backfillAgain: input.rejudge,
      backfillAdded: 0,
      updatedAt: new Date(ctx.now()),
    };
    await commit(ctx, editor, {
      statements: [ctx.db.sql.update(onlineRules).set(set).where(isRule(editor.scope, id))],
      note: { action: 'online_rule.backfilled', id, name },
    });
  }
  return { ...estimate, started: isStarted };
}
