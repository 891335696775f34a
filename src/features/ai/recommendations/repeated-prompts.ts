import { quoted } from '../../../lib/text/quoted.ts';
import { floorToDay, formatInstant } from '../../../lib/time.ts';
import { filterOfModel } from './filter-of-model.ts';
import { type Bounds, type Computed, toRecommendation } from './to-recommendation.ts';

/** What is read of a call. */
export const REPEAT_FIELDS = [
  'provider',
  'model',
  'prompt_hash',
  'cost_usd',
  'output_tokens',
  'timestamp',
] as const;
export type HashedCall = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly prompt_hash: string | null;
  readonly cost_usd: number | null;
  readonly output_tokens: number;
  readonly timestamp: string;
};

/**
 * Calls that sent a model the same prompt again: all but one of each prompt, at the mean cost of its calls.
 * @param calls the newest calls, newest first; all of the window unless `isCut`
 */
export function repeatedPrompts(
  calls: readonly HashedCall[],
  { bounds, isCut }: { readonly bounds: Bounds; readonly isCut: boolean },
): Computed[] {
  const oldest = calls.at(-1)?.timestamp;
  // Of the last millisecond that was read, some calls may not have been.
  const read = isCut ? calls.filter(({ timestamp }) => timestamp !== oldest) : calls;
  const start = isCut ? (read.at(-1)?.timestamp ?? bounds.end) : bounds.start;
  const models = Map.groupBy(read, ({ provider, model }) => JSON.stringify([provider, model]));
  return [...models.values()].flatMap((of) => repeatsOf(of, { bounds: { start, end: bounds.end }, isCut }));
}

function repeatsOf(
  of: readonly HashedCall[],
  { bounds, isCut }: { readonly bounds: Bounds; readonly isCut: boolean },
): Computed[] {
  const [{ provider, model } = { provider: null, model: null }] = of;
  if (model === null) return [];
  const prompts = Map.groupBy(
    of.filter(({ prompt_hash }) => prompt_hash !== null),
    ({ prompt_hash }) => prompt_hash,
  );
  const costOf = (calls: readonly HashedCall[]): number =>
    calls.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0);
  const saved = [...prompts.values()].reduce(
    (sum, calls) => sum + (costOf(calls) * (calls.length - 1)) / calls.length,
    0,
  );
  if (saved <= 0) return [];
  const days = Map.groupBy(of, ({ timestamp }) => floorToDay(Date.parse(timestamp)));
  const sum = (measure: (call: HashedCall) => number): number =>
    of.reduce((all, call) => all + measure(call), 0);
  return [
    toRecommendation(
      {
        provider,
        model,
        costs: [...days.values()].map(costOf),
        requests: of.length,
        cost: costOf(of),
        unpriced: 0,
        freshTokens: 0,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: sum(({ output_tokens }) => output_tokens),
        reasoningTokens: 0,
      },
      model,
      bounds,
      {
        kind: 'repeated-prompts',
        title: `Keep answers of ${quoted(model)} to prompts that come again`,
        basis: isCut
          ? `What repetitions of the same prompt_hash cost since ${formatInstant(Date.parse(bounds.start))}; older calls were not read, so a month has more.`
          : 'What repetitions of the same prompt_hash cost: of each prompt, all calls but one at their mean cost.',
        savedUsd: saved,
        confidence: 'medium',
        filter: filterOfModel({ provider, model }),
      },
    ),
  ];
}
