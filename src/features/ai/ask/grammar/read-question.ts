import {
  type MetricDimension,
  type MetricsDocument,
  metricsDocumentSchema,
} from '../../../../core/events/query/contract.ts';
import { formatTerm } from '../../../../lib/filter-terms.ts';
import { formatInstant } from '../../../../lib/time.ts';
import type { Meaning, Reading, ReadQuestion, When } from '../question.ts';
import { describe } from './describe.ts';
import { followUp, isFollowUp } from './follow-up.ts';
import { mendTypos } from './mend-typos.ts';
import type { Parts } from './parts.ts';
import { readTimes } from './read-comparison.ts';
import { readFilters } from './read-filters.ts';
import { readMeasures } from './read-measures.ts';
import { type Mention, readNames } from './read-names.ts';
import { readBucket, readGroups, readRanking } from './read-shape.ts';
import { plainText, Rest } from './rest.ts';
import { FILLER, fieldOf } from './words.ts';

/**
 * Reads a question without a model. Every word must have a meaning or be a filler: what is not understood is never left
 * out, since the answer would be to another question.
 */
export function readQuestion(question: string, reading: Reading): ReadQuestion {
  const read = readWords(question, reading);
  if (read.unknown.length === 0) return read;
  const mended = mendTypos(question, read.unknown);
  const again = mended === null ? read : readWords(mended, reading);
  return again.meaning === null ? read : again;
}

function readWords(question: string, reading: Reading): ReadQuestion {
  const parts = readParts(question, reading);
  const isAbout = reading.context !== undefined && isFollowUp(parts);
  const measured = isAbout || parts.measures.length > 0;
  const meaning = parts.unknown.length === 0 && measured ? toMeaning(parts, reading, isAbout) : null;
  return {
    meaning: meaning !== null && metricsDocumentSchema.safeParse(meaning.query).success ? meaning : null,
    understood: describe(parts),
    unknown: parts.unknown,
  };
}

const toMeaning = (parts: Parts, reading: Reading, isAbout: boolean): Meaning => {
  const meaning = meaningOf(parts, reading.timeZone);
  return isAbout && reading.context !== undefined ? followUp(parts, meaning, reading.context) : meaning;
};

function readParts(question: string, { names, scores, tags, now, timeZone }: Reading): Parts {
  const rest = new Rest(plainText(question));
  const asksFollowUp =
    rest.take(
      /^(?:and|but|now|ok|okay|what about|how about|only|just|same)\b|\binstead\b|\b(?:what|how) about\b/,
    ) !== null;
  const showsErrors = rest.take(/\b(?<=errors? )breakdown\b|\bbreakdown of (?:the )?(?=errors?\b)/) !== null;
  const asksWhere =
    rest.take(
      /\bwhere (?:is|does|did|has|was)(?= .{0,20}(?:money|spend|budget))|\beating(?= .{0,10}budget)/,
    ) !== null;
  const usesUp =
    /\b(?:eats?|eating|ate|chew(?:s|ing)?|burn(?:s|ing)?)(?: up| through)?(?= .{0,20}(?:budget|money|spend))/;
  rest.take(usesUp);
  while (rest.take(/\b(?:breakdown|break(?:ing)? down|broken down|split up)\b/) !== null) {}
  const asksWhichAre = /\b(?:which|what)\b.*\b(?:see|seen|have|exist|are there|there are)\b/.test(rest.text);
  const comparesNames =
    /\b(?:vs\.?|versus|compared?|against|difference|than|between|increase .* over)\b/.test(rest.text);
  const mentions = readNames(rest, names, tags);
  const compared = comparesNames ? comparedDimension(mentions) : null;
  const numeric = readFilters(rest);
  const unanswerable = UNANSWERABLE.flatMap(([pattern, what]) => (rest.has(pattern) ? [what] : []));
  if (compared !== null)
    while (
      rest.take(
        /\b(?:vs\.?|versus|compared?|against|difference|increase|with|to|than|split between|between)\b/,
      ) !== null
    ) {}
  const times = readTimes(rest, { now, zone: timeZone });
  const bucket = readBucket(rest);
  const groups = readGroups(rest, tags).map((one) =>
    one === 'release' && mentions.some(({ dimension }) => dimension === 'promptName') ? 'promptVersion' : one,
  );
  const ranking = readRanking(rest);
  const measured = readMeasures(rest, scores);
  const asked = [
    ...(asksWhere && groups.length === 0 ? (['model'] as const) : []),
    ...(showsErrors ? (['errorCode'] as const) : []),
  ];
  const groupBy = [...new Set([...(compared === null ? [] : [compared]), ...groups, ...asked])];
  const isOfErrors =
    groupBy.includes('errorCode') || mentions.some(({ dimension, not }) => dimension === 'errorCode' && !not);
  // "Top users" are those with most calls, and "top error codes" those with most errors.
  const implied = isOfErrors
    ? (['errors'] as const)
    : groupBy.length > 0 && (ranking.isRanked || asksWhichAre)
      ? (['requests'] as const)
      : [];
  const measures = measured.measures.length === 0 ? implied : measured.measures;
  const isOrdered = /\b(?:percentage|percent|share|fraction|proportion)\b/.test(rest.text);
  if (isOrdered && groupBy.length > 0) rest.take(/\b(?:percentage|percent|share|fraction|proportion)\b/);
  return {
    measures: [...measures],
    groupBy: groupBy.slice(0, 2),
    filters: [...filtersOf(mentions), ...numeric, ...measured.filters],
    ...times,
    bucket,
    limit: ranking.limit,
    isLowest: ranking.isLowest,
    unknown: [
      ...unanswerable,
      ...unknownOf(rest),
      // The most of nothing: a single call is no group.
      ...(ranking.isRanked &&
      groupBy.length === 0 &&
      bucket === undefined &&
      !asksFollowUp &&
      measures.length > 0
        ? ['the highest or lowest of what']
        : []),
      ...groupBy.slice(2).map((dimension) => `a third group, ${dimension}`),
    ],
    isFollowUp: asksFollowUp,
  };
}

/** What words that are all understood ask for, and no query can say. */
const UNANSWERABLE: readonly (readonly [RegExp, string])[] = [
  [/\b(?:costs?|spend|price) (?:of|on|for) (?:\w+ ){0,2}tokens?\b/, 'the cost of some tokens of a call'],
  [
    /\b(?:grew|grow|grows|grown|growing|increas\w+|rose|rising|dropp\w+|fell|falling|chang\w+) (?:the )?(?:fastest|quickest|slowest)\b|\b(?:fastest|quickest|slowest)[- ](?:growing|increasing|rising|falling)\b/,
    'an order by how much something changed',
  ],
];

const unknownOf = (rest: Rest): string[] => rest.words().filter((word) => !FILLER.has(word) && word !== "'");

/** The dimension of which a question names two values to compare. */
function comparedDimension(mentions: readonly Mention[]): MetricDimension | null {
  for (const { dimension, not } of mentions) {
    if (not) continue;
    if (mentions.filter((one) => one.dimension === dimension && !one.not).length > 1) return dimension;
  }
  return null;
}

/** Terms of the filter language: several values of a dimension are one of them. */
function filtersOf(mentions: readonly Mention[]): string[] {
  const fields = new Map<string, Mention[]>();
  for (const mention of mentions) {
    const key = `${mention.not ? '-' : ''}${mention.dimension}`;
    fields.set(key, [...(fields.get(key) ?? []), mention]);
  }
  return [...fields.values()].map((same) => {
    const [first] = same;
    return formatTerm({
      field: fieldOf(first?.dimension ?? 'model'),
      not: first?.not ?? false,
      operator: ':',
      values: same.map(({ value, isGlob }) => ({ text: value, isQuoted: !isGlob })),
    });
  });
}

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
