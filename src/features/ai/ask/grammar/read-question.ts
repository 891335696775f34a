import { type MetricsDocument, metricsDocumentSchema } from '../../../../core/events/query/contract.ts';
import { formatInstant } from '../../../../lib/time.ts';
import type { Meaning, Reading, ReadQuestion, When } from '../question.ts';
import { describe } from './describe.ts';
import { followUp, isFollowUp } from './follow-up.ts';
import { mendTypos } from './mend-typos.ts';
import type { Parts } from './parts.ts';
import { readParts } from './read-parts.ts';

/**
 * Reads a question without a model. Every word must be used by a rule, or be an empty one in a place where it is empty:
 * what is not understood is never left out, since the answer would be to another question.
 */
export function readQuestion(question: string, reading: Reading): ReadQuestion {
  const read = readWords(question, reading);
  if (read.left.length === 0) return read;
  const mended = mendTypos(question, read.left, reading);
  const again = mended === null ? read : readWords(mended, reading);
  return again.meaning === null ? read : again;
}

function readWords(question: string, reading: Reading): ReadQuestion {
  const parts = readParts(question, reading);
  const unknown = [...parts.left, ...parts.problems];
  const isAbout = reading.context !== undefined && isFollowUp(parts);
  const measured = isAbout || parts.measures.length > 0;
  const meaning = unknown.length === 0 && measured ? toMeaning(parts, reading, isAbout) : null;
  return {
    meaning: meaning !== null && metricsDocumentSchema.safeParse(meaning.query).success ? meaning : null,
    understood: describe(parts),
    left: parts.left,
    unknown,
  };
}

const toMeaning = (parts: Parts, reading: Reading, isAbout: boolean): Meaning => {
  const meaning = meaningOf(parts, reading.timeZone);
  return isAbout && reading.context !== undefined ? followUp(parts, meaning, reading.context) : meaning;
};

/** A window as a document has it. */
export const windowOf = (when: When | null): Pick<MetricsDocument, 'range' | 'start' | 'end'> =>
  when === null
    ? {}
    : 'range' in when
      ? { range: when.range }
      : { start: formatInstant(when.start), ...(when.end === null ? {} : { end: formatInstant(when.end) }) };

/** The query of parts. */
export function meaningOf(parts: Parts, timeZone: string): Meaning {
  const { measures, groupBy, filters, when, compare, baseline, bucket, limit, isLowest } = parts;
  const [first] = measures;
  return {
    query: {
      measures,
      ...(groupBy.length === 0 ? {} : { groupBy: [...groupBy] }),
      ...(filters.length === 0 ? {} : { filter: filters.join(' ') }),
      ...windowOf(when),
      ...(bucket === undefined ? {} : { bucket }),
      ...(timeZone === 'UTC' ? {} : { timeZone }),
      ...(isLowest && first !== undefined ? { orderBy: { measure: first, direction: 'asc' } } : {}),
      ...(limit === undefined ? {} : { limit }),
      ...(compare === null ? {} : { compare }),
    },
    baseline: baseline === null ? null : windowOf(baseline),
  };
}
