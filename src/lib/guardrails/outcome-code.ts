import { CHECK_ACTIONS, type CheckAction, OUTCOMES, type Outcome } from './definition.ts';

/** The error code of the event of a guardrail that found something: figures count outcomes by it. */
export const OUTCOME_CODES: Readonly<Record<CheckAction, string>> = {
  flag: 'guardrail_flagged',
  redact: 'guardrail_redacted',
  block: 'guardrail_blocked',
};

export const isOutcome = (value: unknown): value is Outcome =>
  (OUTCOMES as readonly unknown[]).includes(value);

/** The code of an event by its `metadata.guardrail.outcome`; null if that tells of nothing found. */
export function outcomeCode(metadata: Readonly<Record<string, unknown>> | null | undefined): string | null {
  const note = metadata?.guardrail;
  if (typeof note !== 'object' || note === null || !('outcome' in note)) return null;
  const { outcome } = note;
  return isOutcome(outcome) && outcome !== 'allow' ? OUTCOME_CODES[outcome] : null;
}

/** What a guardrail did, by the error code of its event: one without such a code let the text pass. */
export const outcomeOfCode = (code: string | null): Outcome =>
  CHECK_ACTIONS.find((action) => OUTCOME_CODES[action] === code) ?? 'allow';
