import { parseTerms } from '../../../../lib/filter-terms.ts';
import type { Meaning } from '../question.ts';
import type { Parts } from './parts.ts';

/** Whether a question changes the one before instead of asking something new. */
export const isFollowUp = ({ measures, isFollowUp: isAsked }: Parts): boolean =>
  isAsked || measures.length === 0;

/** The query before with what a follow-up says: other groups, another window, further filters. */
export function followUp(parts: Parts, own: Meaning, before: Meaning): Meaning {
  const { measures, groupBy, filters, when, compare, baseline, bucket, limit, isLowest } = parts;
  const { range, start, end, ...kept } = before.query;
  const window = when === null ? { range, start, end } : own.query;
  const comparesNow = compare !== null || baseline !== null;
  const query = {
    ...kept,
    ...definedOf({ range: window.range, start: window.start, end: window.end }),
    ...(measures.length === 0 ? {} : { measures }),
    ...(groupBy.length === 0 ? {} : { groupBy: [...groupBy] }),
    ...(filters.length === 0 ? {} : { filter: mergeFilters(before.query.filter ?? '', filters) }),
    ...(bucket === undefined ? {} : { bucket }),
    ...(limit === undefined ? {} : { limit }),
    ...(isLowest && own.query.orderBy !== undefined ? { orderBy: own.query.orderBy } : {}),
    ...(compare === null ? {} : { compare }),
  };
  if (measures.length > 0 && own.query.orderBy === undefined) delete query.orderBy;
  if (baseline !== null) delete query.compare;
  // Another window is not compared with the old one.
  const isMoved = when !== null && !comparesNow;
  return { query, baseline: comparesNow ? own.baseline : isMoved ? null : before.baseline };
}

function definedOf<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Filters of a follow-up replace those of the same field. */
function mergeFilters(before: string, added: readonly string[]): string {
  const fields = new Set(added.flatMap((text) => parseTerms(text).map(({ field }) => field)));
  const kept = parseTerms(before)
    .filter(({ field }) => !fields.has(field))
    .map(({ start, end }) => before.slice(start, end));
  return [...kept, ...added].join(' ');
}
