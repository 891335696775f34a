import type { Parts } from './parts.ts';

/** What was understood of a question, for people. */
export function describe({
  measures,
  groupBy,
  filters,
  when,
  compare,
  baseline,
  bucket,
  limit,
}: Parts): string[] {
  return [
    ...measures,
    ...groupBy.map((dimension) => `by ${dimension}`),
    ...filters,
    ...(when === null ? [] : ['range' in when ? when.range : 'a window of time']),
    ...(compare === null && baseline === null ? [] : ['compared with an earlier window']),
    ...(bucket === undefined ? [] : ['over time']),
    ...(limit === undefined ? [] : [`the first ${limit}`]),
  ];
}
