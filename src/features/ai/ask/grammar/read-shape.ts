import type { MetricDimension, MetricsDocument } from '../../../../core/events/query/contract.ts';
import { nounsWith } from './read-names.ts';
import type { Rest } from './rest.ts';
import { NUMBER_PATTERN, numberOf } from './words.ts';

const BUCKETS: readonly (readonly [RegExp, NonNullable<MetricsDocument['bucket']>])[] = [
  [
    /(?<!(?<!(?:limited|failed|failing|cancell?ed|successful|throttled|unpriced|out) )(?:requests |calls ))\b(?:per|by|each|every|for each) minute\b|\bminute by minute\b/,
    '1m',
  ],
  [
    /\b(?:per|by|each|every|for each|an) hour\b(?! of)|(?<=\b(?:by|per) [\w ]{2,20})(?:,| and) hour\b|\/ ?hour\b|\bhourly\b|\bhour by hour\b|\b(?:(?:in|at|during) )?(?:which|what) hour\b|(?<=\b(?:busiest|worst|slowest|most expensive|costliest) )hour\b/,
    '1h',
  ],
  [
    /\b(?:per|by|each|every|for each|a) day\b(?! of)|(?<=\b(?:by|per) [\w ]{2,20})(?:,| and) day\b|\/ ?day\b|\bdaily\b|\bday by day\b|\b(?:on )?(?:which|what) day\b|(?<=\b(?:busiest|worst|slowest|most expensive|costliest) )day\b/,
    '1d',
  ],
  [
    /\b(?:per|by|each|every|for each|a) week\b|(?<=\b(?:by|per) [\w ]{2,20})(?:,| and) week\b|\/ ?week\b|\bweekly\b|\bweek by week\b|\b(?:in )?(?:which|what) week\b/,
    '1w',
  ],
  [
    /\b(?:trends?|trending|over time|timeline|time series|develop(?:ed|ing|ment|s)?|evol(?:ved|ution)|history|graph|chart|curve|plot)\b/,
    'auto',
  ],
];

/** Takes the length of steps; undefined without any. */
export function readBucket(rest: Rest): MetricsDocument['bucket'] {
  for (const [pattern, bucket] of BUCKETS)
    if (rest.take(pattern) !== null) {
      while (rest.take(BUCKETS.at(-1)?.[0] ?? pattern) !== null) {}
      return bucket;
    }
  return undefined;
}

/** How groups are ranked. */
export type Ranking = {
  readonly limit: number | undefined;
  readonly isLowest: boolean;
  /** Whether the question asks for the first groups at all. */
  readonly isRanked: boolean;
  /** Best or worst: which end that is depends on the measure. */
  readonly isJudged: boolean;
};

const MOST =
  'most|highest|largest|biggest|top|maximum|greatest|worst|slowest|fastest|costliest|priciest|heaviest';
const LEAST = 'least|lowest|fewest|smallest|minimum|bottom|best|cheapest';
const TOP = new RegExp(
  `\\b(?:(top)|(bottom|lowest)) ${NUMBER_PATTERN}(?![\\w§])(?! ?(?:days?|weeks?|hours?|months?|minutes?)\\b)`,
);
/** "The slowest 10 models": the word says what is measured, and stays. */
const AFTER_SUPERLATIVE = new RegExp(
  `(?<=\\b(?:slowest|fastest|quickest|costliest|priciest|cheapest|busiest|largest|biggest|highest|worst|heaviest|most expensive|most active) )${NUMBER_PATTERN}(?![\\w§])(?! ?(?:days?|weeks?|hours?|months?|minutes?)\\b)`,
);
/** "Which three models": the noun was taken before. */
const OF_NOUN = new RegExp(`(?<=\\b(?:which|what|the|our|my) )${NUMBER_PATTERN} (?=¦)`);
const COUNTED = new RegExp(`(?<![§\\w])${NUMBER_PATTERN} (?=(?:${MOST}|${LEAST}|most|least)\\b)`);

/**
 * Takes how many groups are asked for, and which. `least reliable` and `slowest` are the highest values of what is measured:
 * read before the measures take their words.
 */
export function readRanking(rest: Rest, hasSteps: boolean): Ranking {
  const inverted = rest.take(/\b(least|most) (?=(?:reliable|reliability)\b)/);
  const isUnreliable = rest.has(/\bunreliable\b/);
  const speed =
    rest.has(/\b(?:fastest|quickest)\b/) &&
    (!rest.has(/\btokens?\b|\bspeed\b/) || rest.has(/first[- ]token|\bttft\b/));
  const cheap = rest.has(/\bcheapest\b/);
  const top = rest.take(TOP);
  const counted =
    top === null ? (rest.take(COUNTED) ?? rest.take(AFTER_SUPERLATIVE) ?? rest.take(OF_NOUN)) : null;
  const isLow = top !== null && top.groups[1] !== '';
  const ordered = rest.take(
    /,? ?(?:in )?(?:(ascending|lowest first|smallest first|fewest first|fastest first|cheapest first)|(?:descending|highest first|largest first|biggest first))(?: order)?(?=\s*(?:$|[,¦]))/,
  );
  rest.take(/\b(?:sorted|ordered|ranked)\b(?= by\b)|(?<=¦ ?),? ?\b(?:sorted|ordered|ranked)\b/);
  const least = rest.take(/(?<!\bat )\b(?:the )?(?:least|lowest|fewest|smallest|bottom)\b/);
  const most = rest.take(/(?<!\bat )\b(?:the )?(?:most|highest|largest|biggest|top|greatest|heaviest)\b/);
  const judged = most === null && least === null ? rest.take(/\b(?:the )?(?:(worst)|best)\b/) : null;
  // "Used most often".
  if (hasSteps) rest.take(/\bpeak(?:s|ed|ing)?\b/);
  if (most !== null || least !== null) rest.take(/\b(?:often|frequently|commonly)\b/);
  const number = top?.groups[2] ?? counted?.groups[0];
  const limit = number === undefined ? undefined : Math.min(500, Math.max(1, numberOf(number)));
  const isLowest =
    inverted === null
      ? isLow ||
        least !== null ||
        speed ||
        cheap ||
        (ordered?.groups[0] ?? '') !== '' ||
        judged?.groups[0] === ''
      : inverted.groups[0] === 'most';
  return {
    limit,
    isLowest: isUnreliable ? false : isLowest,
    isJudged: judged !== null,
    isRanked:
      limit !== undefined ||
      least !== null ||
      most !== null ||
      ordered !== null ||
      judged !== null ||
      inverted !== null ||
      speed ||
      cheap ||
      rest.has(/\b(?:slowest|costliest|priciest)\b/),
  };
}

/** Takes the dimensions that a question is split by, in its order. */
export function readGroups(rest: Rest, tags: readonly string[]): MetricDimension[] {
  const found: { readonly at: number; readonly dimension: MetricDimension }[] = [];
  if (rest.has(/\berrors?\b/)) {
    const common =
      /\b(?:most )?(?:common|frequent|usual) (?=errors?\b)|\b(?:which|what) (?=errors? (?:happens?|occurs?|are|is|do|does|did|were|come|comes|have)\b)/;
    const taken = rest.take(common);
    if (taken !== null) {
      found.push({ at: taken.at, dimension: 'errorCode' });
      rest.take(
        /\b(?:happen\w*|occur\w*)?\s?(?:the )?(?:most (?:often|frequently|common)|often|frequently|common|most)\b/,
      );
    }
  }
  const isOfCount = /\bhow many (?:different |distinct |active |unique )?$/;
  for (const [pattern, dimension] of nounsWith(tags)) {
    const noun = new RegExp(
      `(?:\\b(?:by|per|for each|for every|each|every|across(?: all)?) (?:the |our |an? )?)?(?<![\\w§-])${pattern}(?![\\w§-])`,
    );
    const match = noun.exec(rest.text);
    // "How many users" asks for their number, which is no measure.
    if (match === null || isOfCount.test(rest.text.slice(0, match.index))) continue;
    rest.remove(match.index, match[0].length);
    found.push({ at: match.index, dimension });
  }
  const who = rest.take(/\bwho\b(?! is the)|\b(?=spenders\b)/) ?? rest.take(/\bwho\b/);
  if (who !== null) found.push({ at: who.at, dimension: 'userId' });
  const groups = [...new Set(found.toSorted((a, b) => a.at - b.at).map(({ dimension }) => dimension))];
  // "The prompt by version" is about its versions.
  return groups.map((one) => (one === 'release' && groups.includes('promptName') ? 'promptVersion' : one));
}
