import { and, eq, inArray } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { judgeMessages, type Sample, subjectSample } from '../../evaluators/index.ts';
import { eventsOf, isSampled } from '../../events/index.ts';
import { expectCost } from '../../models/index.ts';
import { ofProject } from '../../tenancy/index.ts';
import type { BackfillEstimate } from '../contract.ts';
import type { LoadedRule } from '../judge/load-rule.ts';
import { onlineRuleItems } from '../table.ts';
import { tracesPage, type Window } from './traces-page.ts';

/** Traces that an estimate looks at, and those whose cost it expects. */
const MAX_LOOKED = 5_000;
const MAX_PRICED = 20;
const SUBJECTS = 100;

type Asked = { readonly window: Window; readonly rejudge: boolean; readonly sampleRate: number };

/**
 * How many stored traces of a window a rule would judge, and what that costs, from the newest 5,000.
 * @throws AppError 400 if content is needed and none is stored
 */
export async function planBackfill(
  ctx: Ctx,
  rule: LoadedRule,
  { window, rejudge, sampleRate }: Asked,
): Promise<Omit<BackfillEstimate, 'started'>> {
  let traces = 0;
  let matching = 0;
  let cursor: string | null = '';
  const samples: Sample[] = [];
  while (cursor !== null && traces < MAX_LOOKED) {
    const page = await tracesPage(ctx, rule.scope, { window, cursor });
    traces += page.ids.length;
    cursor = page.next;
    const sampled = page.ids.filter((id) => isSampled(id, sampleRate));
    const left = await notJudged(ctx, rule, { ids: sampled, rejudge });
    for (let i = 0; i < left.length; i += SUBJECTS) {
      const of = left.slice(i, i + SUBJECTS).map((traceId) => ({ traceId }));
      const content = samples.length < MAX_PRICED;
      const subjects = await eventsOf(ctx).subjects(ofProject(rule.scope), { of, content });
      const fitting = subjects.filter((one) => one !== null).filter(rule.matches);
      matching += fitting.length;
      if (content) samples.push(...fitting.slice(0, MAX_PRICED - samples.length).map(subjectSample));
    }
  }
  const cost = await costOf(ctx, rule, { samples, matching });
  return { traces, matching, isComplete: cursor === null, ...cost };
}

/** The traces that a rule has not judged, or with `rejudge` not in this version. */
async function notJudged(
  ctx: Ctx,
  { id, version }: LoadedRule,
  { ids, rejudge }: { readonly ids: readonly string[]; readonly rejudge: boolean },
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const known = await ctx.db.sql
    .select({ traceId: onlineRuleItems.traceId, version: onlineRuleItems.version })
    .from(onlineRuleItems)
    .where(and(eq(onlineRuleItems.ruleId, id), inArray(onlineRuleItems.traceId, [...ids])));
  const isDone = new Set(
    known.flatMap((one) => (rejudge && one.version !== null && one.version < version ? [] : one.traceId)),
  );
  return ids.filter((one) => !isDone.has(one));
}

async function costOf(
  ctx: Ctx,
  { rules, scope }: LoadedRule,
  { samples, matching }: { readonly samples: readonly Sample[]; readonly matching: number },
): Promise<Pick<BackfillEstimate, 'expectedUsd' | 'maxUsd'>> {
  if (rules.kind !== 'judge' || matching === 0) return { expectedUsd: 0, maxUsd: 0 };
  const { config, output } = rules;
  let [expected, most]: [number | null, number | null] = [0, 0];
  let judged = 0;
  for (const sample of samples) {
    const messages = judgeMessages(config, output, sample);
    if ('missing' in messages) continue;
    judged++;
    const asked = { model: config.model, messages, config: { maxOutputTokens: config.maxOutputTokens } };
    const { costUsd, maxCostUsd } = await expectCost(ctx, scope, asked, { withHistory: judged === 1 });
    expected = expected === null || costUsd === null ? null : expected + costUsd;
    most = most === null || maxCostUsd === null ? null : most + maxCostUsd;
  }
  if (judged === 0)
    throw badRequest('The content of these traces is not stored, so a judge has nothing to judge');
  // Traces without content are skipped and cost nothing; their share of the sample is that of all.
  const scale = matching / samples.length;
  const scaled = (usd: number | null): number | null =>
    usd === null ? null : Math.round(usd * scale * 1e9) / 1e9;
  return { expectedUsd: scaled(expected), maxUsd: scaled(most) };
}
