import { PRESETS } from '../../../../lib/ranges/presets.ts';
import { measureWords } from '../../../../lib/scores/measure-words.ts';
import { formatInstant } from '../../../../lib/time.ts';
import type { When } from '../question.ts';
import { wordOf } from '../to-answer.ts';
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
    ...measures.map(measureWords),
    ...groupBy.map((dimension) => `by ${wordOf(dimension)}`),
    ...filters,
    ...(when === null ? [] : [windowText(when)]),
    ...(compare === null && baseline === null ? [] : ['compared with an earlier window']),
    ...(bucket === undefined ? [] : ['over time']),
    ...(limit === undefined ? [] : [`the first ${limit}`]),
  ];
}

function windowText(when: When): string {
  if ('range' in when) return PRESETS[when.range].label.toLowerCase();
  const [from, to] = [when.start, when.end].map((at) =>
    at === null ? null : formatInstant(at).slice(0, 16).replace('T', ' '),
  );
  return to === null ? `since ${from}` : `${from} to ${to}`;
}
