import { OUTCOME_CODES } from '../../../../../lib/guardrails/outcome-code.ts';
import { areOfGuardrails, type Sum } from '../../../measures.ts';
import { FLAG } from '../columns.ts';
import { adderOf, S, type SumArray } from './call-sums.ts';
import type { Columns } from './select-events.ts';

/** The error codes of the events that a sum of guardrails counts. */
export const GUARDRAIL_CODES: Partial<Readonly<Record<Sum, string>>> = {
  guardrail_flags: OUTCOME_CODES.flag,
  guardrail_redactions: OUTCOME_CODES.redact,
  guardrail_blocks: OUTCOME_CODES.block,
};

/** Like `adderOf`, also for sums of guardrails: then the events are calls and events of guardrails. */
export function mixedAdderOf(
  columns: Columns,
  wanted: readonly Sum[],
): (sums: SumArray, place: number, weight?: 1 | -1) => void {
  const addCall = adderOf(columns, wanted);
  if (!areOfGuardrails(wanted)) return addCall;
  const flags = columns.bytes('flags');
  const { codes, codeOf } = columns.texts('error_code');
  const outcomes = Object.entries(GUARDRAIL_CODES).flatMap(([sum, text]) => {
    const code = codeOf(text);
    return code === 0 ? [] : [[code, S[sum as Sum]] as const];
  });
  return (sums, place, weight = 1) => {
    if (((flags[place] as number) & FLAG.call) !== 0) {
      addCall(sums, place, weight);
      return;
    }
    count(sums, S.guardrail_checks, weight);
    for (const [code, sum] of outcomes) if (codes[place] === code) count(sums, sum, weight);
  };
}

function count(sums: SumArray, sum: number, weight: number): void {
  sums[sum] = (sums[sum] as number) + weight;
}
