import { type CheckedStage, type Outcome, strongest } from './definition.ts';
import type { CheckResult } from './run-guardrails.ts';

/** What the event of a guardrail says in `metadata.guardrail`: outcomes, types and numbers, and no text. */
export type GuardrailNote = {
  readonly name: string;
  readonly version: number;
  readonly stage: CheckedStage;
  readonly outcome: Outcome;
  readonly checks: readonly {
    readonly check: string;
    readonly action: Outcome;
    readonly score: number;
    /** How many places of each type. */
    readonly types: Readonly<Record<string, number>>;
    readonly error?: string;
  }[];
};

/** The fields of the event of a guardrail that looked at a text. */
export function guardrailEvent(name: string, stage: CheckedStage, results: readonly CheckResult[]) {
  const note = noteOf(name, stage, results);
  const isFailed = results.some(({ error }) => error !== undefined);
  return {
    kind: 'guardrail',
    name,
    operation: `guardrail.${stage}`,
    status: isFailed ? 'error' : 'success',
    ...(isFailed ? { error_code: 'guardrail_failed' } : {}),
    latency_ms: results.reduce((all, { durationMs }) => all + durationMs, 0),
    tags: { guardrail: note.outcome },
    metadata: { guardrail: note },
  } as const;
}

const noteOf = (name: string, stage: CheckedStage, results: readonly CheckResult[]): GuardrailNote => ({
  name,
  version: results[0]?.version ?? 0,
  stage,
  outcome: strongest(results.map(({ action }) => action)),
  checks: results.map((result) => ({
    check: result.check,
    action: result.action,
    score: result.score,
    types: countTypes(result),
    ...(result.error === undefined ? {} : { error: result.error }),
  })),
});

function countTypes({ matches }: CheckResult): Record<string, number> {
  const types: Record<string, number> = {};
  for (const { type } of matches) types[type] = (types[type] ?? 0) + 1;
  return types;
}
