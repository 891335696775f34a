import type { Outcome } from '../../../lib/guardrails/definition.ts';
import { isOutcome } from '../../../lib/guardrails/outcome-code.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Most checks of an event that are counted. */
const MAX_CHECKS = 20;
const MAX_NAME = 80;

/** What an event of any sender tells of a guardrail; null if it tells nothing. */
export function readNote(metadata: Readonly<Record<string, unknown>> | null): {
  readonly name: string;
  readonly outcome: Outcome;
  readonly checks: readonly { readonly check: string; readonly outcome: Outcome }[];
} | null {
  const note = metadata?.guardrail;
  if (!isObject(note) || !isOutcome(note.outcome) || typeof note.name !== 'string' || note.name === '')
    return null;
  const checks = Array.isArray(note.checks) ? note.checks.slice(0, MAX_CHECKS) : [];
  return {
    name: note.name.slice(0, MAX_NAME),
    outcome: note.outcome,
    checks: checks.flatMap((one) =>
      isObject(one) && typeof one.check === 'string' && isOutcome(one.action)
        ? [{ check: one.check.slice(0, MAX_NAME), outcome: one.action }]
        : [],
    ),
  };
}
