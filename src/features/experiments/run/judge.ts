import type { Ctx } from '../../../context.ts';
import type { ReadItem } from '../../../core/datasets/index.ts';
import { runEvaluator, type Sample, type Judgement as Verdict } from '../../../core/evaluators/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import type { UsedEvaluator } from '../table.ts';

/** A score, or why there is none. `costNano`: 0 without a call, null if unknown. */
export type Judgement = {
  readonly value: number | null;
  /** The word of a score that is a category; `value` is null then. */
  readonly category: string | null;
  /** Why the score is so, or why there is none. */
  readonly comment: string | null;
  /** Why the evaluator failed. */
  readonly error: string | null;
  readonly eventId: string | null;
  readonly costNano: number | null;
};

const NOTHING: Judgement = {
  value: null,
  category: null,
  comment: null,
  error: null,
  eventId: null,
  costNano: 0,
};
export const failed = (error: string): Judgement => ({ ...NOTHING, error });

type Judged = {
  readonly item: Pick<ReadItem, 'input' | 'expectedOutput' | 'metadata'>;
  readonly output: unknown;
  readonly latencyMs: number | null;
  readonly costNano: number | null;
};

/** What an evaluator gets of a run. The context is the field `context` of the metadata, or else of the input. */
export function sampleOf({ item, output, latencyMs, costNano }: Judged): Sample {
  const { input, expectedOutput, metadata } = item;
  return {
    input,
    output,
    expected: expectedOutput,
    context: metadata?.context ?? contextIn(input),
    latencyMs,
    costUsd: costNano === null ? null : costNano / 1e9,
  };
}

const contextIn = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'context' in input ? input.context : undefined;

type Asked = {
  readonly scope: ProjectScope;
  readonly key: string;
  readonly traceId: string;
  readonly experimentId: string;
};

/** Scores an output. Throws AppError as `runEvaluator`. */
export async function judge(
  ctx: Ctx,
  { rules, scoreName }: UsedEvaluator,
  { scope, key, traceId, experimentId, signal, ...judged }: Asked & Judged & { readonly signal: AbortSignal },
): Promise<Judgement> {
  const found = await runEvaluator(
    ctx,
    {
      scope,
      actor: { kind: 'system', name: 'experiments.run' },
      rules,
      sample: sampleOf(judged),
      key,
      traceId,
      tags: { experiment: experimentId, score: scoreName },
    },
    { signal },
  );
  return toJudgement(found);
}

function toJudgement(found: Verdict): Judgement {
  if (found.status === 'skipped') return { ...NOTHING, comment: found.reason };
  const { costUsd, eventId } = found;
  const call = { ...NOTHING, eventId, costNano: costUsd === null ? null : Math.round(costUsd * 1e9) };
  if (found.status === 'failed') return { ...call, error: found.reason };
  const { value, reason: comment } = found;
  return typeof value === 'string'
    ? { ...call, comment, category: value }
    : { ...call, comment, value: Number(value) };
}
