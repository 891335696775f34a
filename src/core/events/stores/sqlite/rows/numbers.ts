import { COST_STATUSES, EVENT_KINDS, EVENT_STATUSES } from '../../../contract.ts';

/** The numbers under which rows keep the kind and the statuses of an event. */
export const KIND = numbersOf(EVENT_KINDS);
export const STATUS = numbersOf(EVENT_STATUSES);
export const COST_STATUS = numbersOf(COST_STATUSES);

/** The kinds that are calls, as SQL. */
export const IS_CALL_KIND = `kind IN (${KIND.llm}, ${KIND.embedding})`;

function numbersOf<T extends string>(names: readonly T[]): Record<T, number> {
  return Object.fromEntries(names.map((name, number) => [name, number])) as Record<T, number>;
}
