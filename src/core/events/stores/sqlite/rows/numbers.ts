import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES } from '../../../contract.ts';

/** The stored numbers of event kinds and statuses. */
export const KIND = numbersOf(EVENT_KINDS);
export const STATUS = numbersOf(EVENT_STATUSES);
export const COST_STATUS = numbersOf(COST_STATUSES);

/** SQL condition for kinds that are calls. */
export const IS_CALL_KIND = `kind IN (${KIND.llm}, ${KIND.embedding})`;

function numbersOf<T extends string>(names: readonly T[]): Record<T, number> {
  return Object.fromEntries(names.map((name, number) => [name, number])) as Record<T, number>;
}
