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
};

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
  const usable = sample.filter((item) => loaded === null || problemOf(loaded, item) === null);
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
  const scale = runs / Math.max(1, usable.length);
  const scaled = (usd: number | null): number | null => (usd === null ? null : usd * scale);
  const calls = runs * (judges.length + (loaded === null ? 0 : 1));
  return { items, runs, calls, expectedUsd: scaled(expected), maxUsd: scaled(most) };
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
