import type { MetricDimension, MetricsDocument } from '../../../../core/events/query/contract.ts';
import { isRunMeasure } from '../../../../core/events/query/contract.ts';
import { DAY_MS } from '../../../../lib/time.ts';
import type { When } from '../question.ts';
import type { Measured } from './read-measures.ts';
import type { Mention } from './read-names.ts';
import type { Ranking } from './read-shape.ts';
import type { Rest } from './rest.ts';

type Measure = MetricsDocument['measures'][number];

/** What a question says whose words are all understood one by one. */
export type Said = {
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly bounds: readonly string[];
  readonly groupBy: readonly MetricDimension[];
  readonly hasSteps: boolean;
  readonly measured: Measured;
  readonly ranking: Ranking;
  readonly when: When | null;
  readonly baseline: When | null;
  readonly isCompared: boolean;
  readonly isSplit: boolean;
  readonly isFollowUp: boolean;
};

/** More of these is better. */
const GOOD: ReadonlySet<string> = new Set([
  'cacheRate',
  'cacheReadTokens',
  'successes',
  'tokensPerSec',
  'throughput',
]);
const NEUTRAL: ReadonlySet<string> = new Set(['requests', 'tokens', 'inputTokens', 'outputTokens', 'runs']);
/** Whether more of a measure is better; null if it is neither. */
export const isGood = (measure: Measure): boolean | null =>
  NEUTRAL.has(measure) ? null : GOOD.has(measure) || measure.startsWith('score:');

/** What parts of a question say against each other, in the words of a refusal. */
export function findContradictions(rest: Rest, said: Said): string[] {
  const { mentions, bounds, groupBy, hasSteps, measured, ranking, isSplit, isFollowUp } = said;
  const [first] = measured.measures;
  const found: string[] = [];
  if (!areJoined(rest, measured)) found.push('several measures without “and”');
  if (isSplit && groupBy.length === 0 && !hasSteps && !isFollowUp) found.push('broken down by what');
  if (bounds.length > 0 && measured.measures.some((one) => isRunMeasure(one))) found.push('a bound of runs');
  if (bounds.some((one) => /^(?:latency|cost)/.test(one)) && measured.measures.some(isOfBound))
    found.push('a bound of what is measured');
  if (ranking.isJudged && (first === undefined || isGood(first) === null))
    found.push('best or worst by what');
  if (!said.isCompared && !isFollowUp && COMPARATIVE.test(said.text)) found.push('compared with what');
  if (said.baseline !== null && !areAlike(said.when, said.baseline))
    found.push('windows of different lengths');
  if (joinsBare(rest, mentions)) found.push('“and” between values of different kinds');
  if (groupBy.length > 1 && ranking.isRanked && (ranking.limit !== undefined || PER.test(said.text)))
    found.push('the first of each group');
  if (/\bwast(?:e|ed|ing)\b/.test(said.text) && measured.filters.length === 0) found.push('what was wasted');
  if (NOW.test(said.text) && measured.measures.some((one) => SUMS.has(one)))
    found.push('“current” for a sum');
  if (SHARE.test(said.text) && sharesOfValue(said.text, mentions)) found.push('the share of one value');
  if (pairsValues(mentions)) found.push('pairs of values');
  if (joinsOtherDimensions(rest, mentions)) found.push('“or” between values of different kinds');
  // The most of nothing: a single call is no group.
  if (ranking.isRanked && groupBy.length === 0 && !hasSteps && !isFollowUp && measured.measures.length > 0)
    found.push('the highest or lowest of what');
  return [...found, ...groupBy.slice(2).map((dimension) => `a third group, ${dimension}`)];
}

const isOfBound = (measure: string): boolean => PERCENTILE.test(measure) || measure === 'costAvg';

/** Words that compare, so something must be there to compare with. */
const COMPARATIVE = /\b(?:slower|faster|quicker|cheaper|pricier|costlier)\b(?! than \d)/;
/** "The top model of each provider". */
const PER = /\b(?:per|for each|for every|of each|in each|by each|each|every)\b/;
const NOW = /\bcurrent(?:ly)?\b(?! (?:week|month|quarter|day|hour|year))/;
const SUMS: ReadonlySet<string> = new Set([
  'cost',
  'tokens',
  'inputTokens',
  'outputTokens',
  'requests',
  'errors',
]);
const SHARE = /\b(?:percentage|percent|share|fraction|proportion)\b/;

const PERCENTILE = /^(?:latency|ttft)/;

/** "Error budget" is no question for errors and for a budget. */
function areJoined(rest: Rest, { places }: Measured): boolean {
  return places.every(({ end, measures }, place) => {
    const next = places[place + 1];
    if (next === undefined || next.measures.join() === measures.join()) return true;
    const isSame =
      new Set([...measures, ...next.measures].map((one) => PERCENTILE.exec(one)?.[0] ?? one)).size === 1;
    return (
      isSame || /(?:\b(?:and|or|plus|versus|vs|with|as well as)\b|[,&/+])/.test(rest.text.slice(end, next.at))
    );
  });
}

const DAYS: Readonly<Record<string, number>> = {
  '15m': 0.01,
  '1h': 0.04,
  '6h': 0.25,
  '24h': 1,
  today: 1,
  yesterday: 1,
  wtd: 7,
  lastWeek: 7,
  '7d': 7,
  mtd: 30,
  lastMonth: 30,
  '30d': 30,
  '90d': 90,
  '12mo': 365,
};
const MOST_TIMES = 5;

/** Whether two windows are of similar length: a month and a Friday are no comparison. */
function areAlike(when: When | null, baseline: When): boolean {
  const [own, other] = [daysOf(when ?? { range: '30d' }), daysOf(baseline)];
  return own === null || other === null || Math.max(own / other, other / own) <= MOST_TIMES;
}

const daysOf = (when: When): number | null =>
  'range' in when
    ? (DAYS[when.range] ?? null)
    : when.end === null
      ? null
      : Math.max(1, (when.end - when.start) / DAY_MS);

/** "Of gpt-4o and anthropic" means both; terms of different fields must all hold. */
function joinsBare(rest: Rest, mentions: readonly Mention[]): boolean {
  return mentions.some((mention, place) => {
    const next = mentions[place + 1];
    if (next === undefined || next.dimension === mention.dimension || next.not) return false;
    return /^\s*(?:and|&|\+|plus)\s*$/.test(rest.text.slice(mention.end, next.at));
  });
}

/** "gpt-4o's share", "is from anthropic": a share of one value, not of each. */
const sharesOfValue = (text: string, mentions: readonly Mention[]): boolean =>
  mentions.some(
    ({ at, end }) =>
      /^(?:'s?)?(?: has| have)? (?:share|percentage|percent|fraction|proportion)\b/.test(text.slice(end)) ||
      /\b(?:is|are|was|were|from|by|to|does|do|did) (?:the )?$/.test(text.slice(0, at)),
  );

/** "A in X and B in Y" are two queries. */
function pairsValues(mentions: readonly Mention[]): boolean {
  const runs = mentions.filter(
    ({ dimension, not }, place) =>
      dimension !== mentions[place - 1]?.dimension || not !== mentions[place - 1]?.not,
  );
  const repeated = new Set(
    runs
      .filter(({ dimension, not }, place) =>
        runs.slice(0, place).some((one) => one.dimension === dimension && one.not === not),
      )
      .map(({ dimension }) => dimension),
  );
  return repeated.size > 1;
}

/** Terms of different fields must all hold, so "or" between them is no query. */
function joinsOtherDimensions(rest: Rest, mentions: readonly Mention[]): boolean {
  return mentions.some((mention, place) => {
    const next = mentions[place + 1];
    if (next === undefined || next.dimension === mention.dimension) return false;
    return /^[^¦]*\bor\b[^¦]*$/.test(rest.text.slice(mention.end, next.at));
  });
}
