import type { Ctx } from '../../../context.ts';
import type { ReadItem } from '../../../core/datasets/index.ts';
import { judgeMessages } from '../../../core/evaluators/index.ts';
import { expectCost } from '../../../core/models/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { AppError } from '../../../errors.ts';
import { sampleOf } from '../run/judge.ts';
import { type LoadedTask, loadTask, messagesFor } from '../run/load-task.ts';
import type { ResolvedPlan } from './resolve-plan.ts';

export type Estimate = {
  readonly items: number;
  readonly runs: number;
  readonly calls: number;
  readonly expectedUsd: number | null;
  readonly maxUsd: number | null;
  readonly unusable: Unusable | null;
};
export type Unusable = { readonly items: number; readonly of: number; readonly reason: string };

/** Length of an output of which nothing is known. */
const ASSUMED_OUTPUT = 'x'.repeat(1_200);

/**
 * The cost of an experiment from its first items. Fails as its first calls would.
 * @throws AppError 400 for a model that is not allowed or an item that the prompt cannot take, 503 without models
 */
export async function estimatePlan(
  ctx: Ctx,
  scope: ProjectScope,
  { items, runs, task, sample, evaluators }: ResolvedPlan,
): Promise<Estimate> {
  const judges = evaluators.flatMap(({ scoreName, rules }) =>
    rules.kind === 'judge' ? [{ scoreName, ...rules }] : [],
  );
  const loaded = task.kind === 'prompt' ? await loadTask(ctx, scope, task) : null;
  let expected: number | null = 0;
  let most: number | null = 0;
  const add = async (call: Parameters<typeof expectCost>[2]): Promise<void> => {
    const { costUsd, maxCostUsd } = await expectCost(ctx, scope, call);
    expected = expected === null || costUsd === null ? null : expected + costUsd;
    most = most === null || maxCostUsd === null ? null : most + maxCostUsd;
  };
  const problems = sample.map((item) => (loaded === null ? null : problemOf(loaded, item)));
  const usable = sample.filter((_, i) => problems[i] === null);
  const [first] = sample;
  if (usable.length === 0 && loaded !== null && first !== undefined) messagesFor(loaded, first);
  for (const item of usable) {
    if (loaded !== null)
      await add({ model: loaded.model, config: loaded.config, messages: messagesFor(loaded, item) });
    const judged = sampleOf({ item, output: ASSUMED_OUTPUT, latencyMs: null, costNano: null });
    for (const { scoreName, config, output } of judges) {
      const messages = judgeMessages(config, output, judged);
      // An item that lacks what the judge needs is not judged.
      if ('missing' in messages) continue;
      const { model, maxOutputTokens } = config;
      await add({ model, config: { maxOutputTokens }, messages }).catch(refusedFor(scoreName));
    }
  }
  // Items that the prompt cannot take cause no calls; of those that are not in the sample, all may be taken.
  const part = usable.length / Math.max(1, sample.length);
  const mostRuns = sample.length === items ? runs * part : runs;
  const scaled = (usd: number | null, count: number): number | null =>
    usd === null ? null : (usd * count) / Math.max(1, usable.length);
  const calls = Math.round(runs * part) * (judges.length + (loaded === null ? 0 : 1));
  return {
    ...{ items, runs, calls, expectedUsd: scaled(expected, runs * part), maxUsd: scaled(most, mostRuns) },
    unusable: unusableOf(problems),
  };
}

/** The items of a sample that the prompt cannot take, by the problems of each. */
function unusableOf(problems: readonly (string | null)[]): Unusable | null {
  const found = problems.filter((problem) => problem !== null);
  const [reason] = found;
  return reason === undefined ? null : { items: found.length, of: problems.length, reason };
}

/** Names the judge whose call is refused: the prompt has a model of its own. */
const refusedFor =
  (scoreName: string) =>
  (error: unknown): never => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.status, `The judge of the score ${scoreName}: ${error.message}`, {
      cause: error,
    });
  };

/** Why a prompt cannot take an item; null if it can. Such an item fails when it runs. */
function problemOf(task: LoadedTask, item: ReadItem): string | null {
  try {
    messagesFor(task, item);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
