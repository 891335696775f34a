import type { CheckedStage } from '../../lib/guardrails/definition.ts';
import type { CheckResult } from '../../lib/guardrails/run-guardrails.ts';

/** A text was blocked. It tells which guardrails did it and what they found, and not the text. */
export class GuardrailError extends Error {
  override readonly name = 'GuardrailError';
  readonly stage: CheckedStage;
  /** What came of each check. */
  readonly results: readonly CheckResult[];
  /** Names of the guardrails that blocked. */
  readonly guardrails: readonly string[];

  constructor(stage: CheckedStage, results: readonly CheckResult[]) {
    const blocking = results.filter(({ action }) => action === 'block');
    const names = [...new Set(blocking.map(({ guardrail }) => guardrail))];
    const types = [...new Set(blocking.flatMap(({ matches }) => matches.map(({ type }) => type)))];
    const reasons = [...new Set(blocking.flatMap(({ error }) => (error === undefined ? [] : [error])))];
    const why = [...types, ...reasons].join(', ');
    super(`blocked by ${names.join(', ')} (${stage})${why === '' ? '' : `: ${why}`}`);
    this.stage = stage;
    this.results = results;
    this.guardrails = names;
  }
}
