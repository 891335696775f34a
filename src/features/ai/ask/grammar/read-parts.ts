import type { MetricDimension } from '../../../../core/events/query/contract.ts';
import { formatTerm } from '../../../../lib/filter-terms.ts';
import type { Reading } from '../question.ts';
import { findContradictions, isGood } from './find-contradictions.ts';
import { leftWords } from './left-words.ts';
import type { Parts } from './parts.ts';
import { readTimes } from './read-comparison.ts';
import { readFilters } from './read-filters.ts';
import { readMeasures } from './read-measures.ts';
import { type Mention, readNames } from './read-names.ts';
import { readOpenings } from './read-phrases.ts';
import { readBucket, readGroups, readRanking } from './read-shape.ts';
import { plainText, Rest } from './rest.ts';
import { unanswerable } from './unanswerable.ts';
import { fieldOf } from './words.ts';

/** What a question says, and all that could not be read of it. */
export function readParts(question: string, reading: Reading): Parts {
  const { names, scores, tags, now, timeZone } = reading;
  const rest = new Rest(plainText(question));
  const { text } = rest;
  const impossible = unanswerable(text);
  const openings = readOpenings(rest);
  const isFollowUp = openings.isFollowUp && (!openings.needsContext || reading.context !== undefined);
  const comparesNames =
    /\b(?:vs\.?|versus|compared?|against|difference|than|between|or|increase .* over)\b/.test(rest.text);
  rest.kind = 'name';
  const mentions = readNames(rest, names, tags);
  rest.kind = 'bound';
  const bounds = readFilters(rest);
  const compared = comparesNames ? comparedDimension(mentions) : null;
  rest.kind = 'comparison';
  if (compared !== null) takeComparison(rest);
  rest.kind = 'time';
  const times = readTimes(rest, { now, zone: timeZone }, compared !== null);
  rest.kind = 'bucket';
  const bucket = readBucket(rest);
  rest.kind = 'group';
  const groups = readGroups(rest, tags).map((one) =>
    one === 'release' && mentions.some(({ dimension }) => dimension === 'promptName') ? 'promptVersion' : one,
  );
  rest.kind = 'rank';
  const ranking = readRanking(rest, bucket !== undefined);
  rest.kind = 'measure';
  const measured = readMeasures(rest, scores);
  const asked = [
    ...(openings.asksWhere && groups.length === 0 ? (['model'] as const) : []),
    ...(openings.showsErrors ? (['errorCode'] as const) : []),
  ];
  const groupBy = [...new Set([...(compared === null ? [] : [compared]), ...groups, ...asked])];
  const isOfErrors =
    groupBy.includes('errorCode') || mentions.some(({ dimension, not }) => dimension === 'errorCode' && !not);
  // "Top users" are those with most calls, and "top error codes" those with most errors.
  const implied = isOfErrors
    ? (['errors'] as const)
    : groupBy.length > 0 && ((ranking.isRanked && !ranking.isJudged) || openings.asksWhichAre)
      ? (['requests'] as const)
      : [];
  const measures = measured.measures.length === 0 ? implied : measured.measures;
  const isOrdered = /\b(?:percentage|percent|share|fraction|proportion)\b/.test(rest.text);
  if (isOrdered && groupBy.length > 0) rest.take(/\b(?:percentage|percent|share|fraction|proportion)\b/);
  const [first] = measures;
  const isGoodFirst = first === undefined ? null : isGood(first);
  const said = { mentions, bounds, groupBy, measured, ranking, hasSteps: bucket !== undefined, text };
  const isCompared =
    compared !== null || times.compare !== null || times.baseline !== null || bounds.length > 0;
  const contradictions = findContradictions(rest, {
    ...said,
    ...times,
    isCompared,
    isSplit: openings.isSplit,
    isFollowUp,
  });
  return {
    measures: [...measures],
    groupBy: groupBy.slice(0, 2),
    filters: [...filtersOf(mentions), ...bounds, ...measured.filters],
    ...times,
    bucket,
    limit: ranking.limit,
    isLowest: ranking.isLowest !== (ranking.isJudged && isGoodFirst === true),
    left: leftWords(rest, groupBy.length > 0 || bucket !== undefined || ranking.isRanked),
    problems: [
      ...impossible,
      ...(openings.needsContext && reading.context === undefined ? ['a question before this one'] : []),
      ...contradictions,
    ],
    isFollowUp,
  };
}

/** Words between values that are compared. */
function takeComparison(rest: Rest): void {
  const pattern =
    /\b(?:vs\.?|versus|compared?|against|difference|increase|than(?= (?:(?:the|for|in|on|of|with|from) )*¦)|over(?= ¦)|split between|between|(?:more|less|higher|lower|better|worse)(?= ¦)|with(?= ¦)|to(?= ¦))/;
  while (rest.take(pattern) !== null) {}
}

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
