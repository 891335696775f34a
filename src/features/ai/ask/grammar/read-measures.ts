import type { MetricsDocument } from '../../../../core/events/query/contract.ts';
import type { Rest, Taken } from './rest.ts';
import { isVocabulary } from './words.ts';

type Measure = MetricsDocument['measures'][number];

/** What a question measures, and the filters that its words for it imply. */
export type Measured = { readonly measures: readonly Measure[]; readonly filters: readonly string[] };

/** How a pattern is taken: the measures that it means, in the order of the question. */
type Rule = readonly [RegExp, ...Measure[]];

const CALLS = '(?:requests?|calls?|invocations?|queries)';
const PER_CALL = `(?:per|for an?|of an?|an?|each|/) ?${CALLS}`;
const ONE_CALL =
  /\b(?:per|for an?|for each|of an?|one|an? single|each|an? average|an? typical|average|typical) (?:request|call)(?![\w])/;
const SINGLE_CALL = '(?:request|call)(?! to)';
const of = (text: string): RegExp => new RegExp(`\\b(?:${text})(?![\\w])`);

/** Before others, since they contain their words. */
const SPECIFIC: readonly Rule[] = [
  [of('time[- ]to[- ](?:the )?first[- ]tokens?|ttft|first token (?:time|latency)'), 'ttftP95'],
  [
    of(
      'tokens? (?:per|a|/) ?sec(?:ond)?s?|tok/s|(?:output|generation|token) speed|generat\\w+ tokens? (?:the )?(?:fastest|slowest)',
    ),
    'tokensPerSec',
  ],
  [of(`${CALLS} (?:per|a|/) ?min(?:ute)?s?|throughput|rpm`), 'throughput'],
  [
    of(
      `(?:average|avg|mean|typical) (?:output|response|completion|answer|reply)(?: (?:length|size|tokens))+|(?:(?:average|avg|mean) )?(?:output|completion) tokens? ${PER_CALL}|(?:average|avg|mean) (?:output|completion) tokens?`,
    ),
    'outputTokensAvg',
  ],
  [
    of(
      `(?:average|avg|mean|typical) (?:input|prompt)(?: (?:length|size|tokens))+|(?:(?:average|avg|mean) )?(?:input|prompt) tokens? ${PER_CALL}|(?:average|avg|mean) (?:input|prompt) tokens?|(?:prompt|input) (?:size|length)`,
    ),
    'inputTokensAvg',
  ],
  [of(`(?:(?:average|avg|mean) )?tokens? ${PER_CALL}`), 'inputTokensAvg', 'outputTokensAvg'],
  [
    of(
      `(?:average|avg|mean|typical|single|each|one) ${CALLS} (?=costs?\\b)(?:costs?)|(?:costs?|price) of (?:an? |one |each )?(?:average |typical |single )?${SINGLE_CALL}|(?:average |avg |mean )?(?:cost|price|spend)s? ${PER_CALL}|(?:average|avg|mean) (?:cost|price|spend)s?(?! per)|(?:cheaper|pricier) ${PER_CALL}`,
    ),
    'costAvg',
  ],
  [
    of(
      '(?:prompt )?(?:cache|caching|cached)(?: hit)? (?:rate|ratio|share)|cache hits?|hit rate(?! limit)|(?:fraction|share|percentage|proportion|percent) of cached (?:input |prompt )?tokens|(?:fraction|share|percentage|part|percent) of (?:the |our )?(?:input|tokens) .{0,20}cached?|prompt cach(?:e|ing)',
    ),
    'cacheRate',
  ],
  [of('cached (?:input |prompt )?tokens|tokens (?:read )?from (?:the )?cache'), 'cacheReadTokens'],
  [of('cache[- ]writes?(?: tokens)?|tokens written to (?:the )?cache'), 'cacheWriteTokens'],
  [of('(?:uncached|fresh) (?:input )?tokens'), 'freshTokens'],
  [of('(?:reasoning|thinking) tokens?'), 'reasoningTokens'],
  [
    of('(?:input|prompt)(?: tokens?)? (?:and|vs\\.?|versus|&) (?:output|completion) tokens?'),
    'inputTokens',
    'outputTokens',
  ],
  [of('(?:output|completion|generated) tokens?'), 'outputTokens'],
  [of('(?:input|prompt) tokens?'), 'inputTokens'],
  [of('tokens? in(?:to)? and (?:tokens? )?out'), 'inputTokens', 'outputTokens'],
  [of('token (?:usage|volume|consumption|count|use)|tokens?'), 'tokens'],
  [of('timeout rate|time-?out percentage|how often .{0,40}time ?out'), 'timeoutRate'],
  [of('time-?outs?|timed out|timing out|time out'), 'timeouts'],
  [of('rate[- ]limit(?:ed|ing)? (?:rate|share|percentage)'), 'rateLimitedRate'],
  [
    of(
      `rate[- ]limit(?:s|ed|ing)?(?: (?:${CALLS}|errors?|hits?|responses))?|throttl(?:ed|ing)(?: ${CALLS})?|429s?`,
    ),
    'rateLimited',
  ],
  [
    of(
      `un-?priced(?: ${CALLS})?|${CALLS} (?:that |which )?(?:have|has|had|with) no (?:known )?price|${CALLS} without (?:a )?(?:known )?price`,
    ),
    'unpriced',
  ],
  [of(`(?:cancell?ed|aborted)(?: ${CALLS})?|cancellations?`), 'cancelled'],
  [of(`success(?:es| count|ful(?:ly)?(?: ${CALLS})?)|${CALLS} (?:that )?succeeded`), 'successes'],
];

const ERROR_RATE = of(
  `(?:error|failure|fail) (?:rates?|percentage|ratio|share)|(?:percentage|percent|share|fraction|%|proportion) of (?:all )?(?:the |our )?${CALLS} (?:that |which )?(?:have |had )?(?:failed|fails?|failing|errored)|(?:percentage|percent|share|fraction|proportion) of (?:errors|failures)|(?:un)?reliab(?:le|ility)`,
);
const OFTEN = of('how often|how frequently');
const FAIL = of(
  `failed ${CALLS}|failing ${CALLS}|failures?|errors?|failing|fails?|failed|errored|erroring|went wrong|go(?:es)? wrong|broken`,
);
const COST = of(
  'costs?|costing|costed|costl(?:ier|iest)|expenses?|expenditures?|invoiced?|fees?|wast(?:ed?|ing)|budget|pric(?:ier|iest)|charged?|cheaper|spen[dt]|spends|spendings?|spenders?|bills?|billed|burn(?:ed)?|money|paid|pay(?:ing)?|expensive|cheap(?:est)?|price[ys]?|dollars|usd',
);
const LATENCY = of(
  'latenc(?:y|ies)|latanc(?:y|ies)|response times?|durations?|how (?:long|slow|fast|quick(?:ly)?)|slow(?:er|est|ness)?|fast(?:er|est)?|quick(?:er|est)?|take the longest|takes? longest|speed',
);
const REQUESTS = of(`${CALLS}|traffic|volume|usage|used?|uses|active|busiest|busy|popular(?:ity)?|adoption`);
const RUNS = of('(?:agent )?runs?');

const STATISTICS: readonly (readonly [RegExp, 'P50' | 'P90' | 'P95' | 'P99' | 'Avg'])[] = [
  [of('p50|median|50th percentile|typical(?:ly)?|usual(?:ly)?|normal(?:ly)?'), 'P50'],
  [of('p90|90th percentile'), 'P90'],
  [of('p95|95th percentile'), 'P95'],
  [of('p99|99th percentile|tail'), 'P99'],
  [of('average|avg|mean|on average|averages'), 'Avg'],
];

/** Takes what a question measures. */
export function readMeasures(rest: Rest, scores: readonly string[]): Measured {
  const found: { readonly at: number; readonly measures: readonly Measure[] }[] = [];
  const note = (taken: Taken | null, ...measures: readonly Measure[]): boolean => {
    if (taken !== null) found.push({ at: taken.at, measures });
    return taken !== null;
  };
  readScores(rest, scores, note);
  const isOfRuns = readRuns(rest, note);
  if (!isOfRuns) {
    readGuardrails(rest, note);
    for (const [pattern, ...measures] of SPECIFIC)
      for (let taken = rest.take(pattern); taken !== null; taken = rest.take(pattern))
        note(taken, ...measures.map((name) => withStatistic(name, rest)));
    while (note(rest.take(ERROR_RATE), 'errorRate')) {}
    const often = rest.has(OFTEN) && rest.has(FAIL);
    if (often) {
      rest.take(OFTEN);
      note(rest.take(FAIL), 'errorRate');
    }
    readLatency(rest, note);
    const isOfOne = rest.has(COST) && rest.take(ONE_CALL) !== null;
    while (note(rest.take(COST), isOfOne ? 'costAvg' : 'cost')) {}
  }
  // How often something happened is how many times it did.
  if (found.length > 0) rest.take(OFTEN);
  const filters = readFailures(rest, found.length > 0, note);
  readRequests(rest, found.length > 0, note);
  const ordered = found.toSorted((a, b) => a.at - b.at).flatMap(({ measures }) => measures);
  return { measures: [...new Set(ordered)], filters };
}

type Note = (taken: Taken | null, ...measures: readonly Measure[]) => boolean;

function readScores(rest: Rest, scores: readonly string[], note: Note): void {
  for (const score of scores) {
    const name = score
      .toLowerCase()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/[-_\s]+/g, '[-_ ]');
    const pattern = new RegExp(
      `\\b(?:(?:average|avg|mean) )?(?:${name} scores?|scores? (?:of |for )?${name})\\b`,
    );
    if (/[,=]/.test(score) || note(rest.take(pattern), `score:${score}`)) continue;
    // Its name alone is enough, if it has no other meaning.
    if (score.length >= 4 && !isVocabulary(score.toLowerCase()))
      note(rest.take(new RegExp(`\\b(?:(?:average|avg|mean) )?${name}(?![\\w-])`)), `score:${score}`);
  }
}

/** Measures of the runs of agents. They go with no measure of calls. */
function readRuns(rest: Rest, note: Note): boolean {
  if (!rest.has(RUNS)) return false;
  const isAverage = rest.has(of('average|avg|mean|on average|per|an?'));
  const is95 = rest.has(of('p95'));
  rest.take(/\bagent (?=runs?\b)/);
  const rules: readonly Rule[] = [
    [
      of('(?:cost|spend)s? (?:per|of an?|for an?) success(?:ful)? runs?|cost per success(?:ful run)?'),
      'runCostPerSuccess',
    ],
    [of('(?:cost|spend)s? (?:per|of an?|for an?) runs?'), is95 ? 'runCostP95' : 'runCostAvg'],
    [of('failed runs?|runs? (?:that |which )?(?:failed|fail|failing)|run failures'), 'failedRuns'],
    [of('runs? (?:error|failure) rates?|(?:error|failure) rates? of (?:the )?runs?'), 'runErrorRate'],
    [
      of('runs? (?:latency|duration|time)|(?:latency|duration) of (?:an? |the )?runs?|runs? .{0,12}take'),
      isAverage && !is95 && rest.has(of('average|avg|mean')) ? 'runLatencyAvg' : 'runLatencyP95',
    ],
    [of('runs? costs?'), isAverage ? 'runCostAvg' : 'runCost'],
  ];
  let any = false;
  for (const [pattern, ...measures] of rules) any = note(rest.take(pattern), ...measures) || any;
  if (any) {
    rest.take(of('on average|average|avg|mean|p95|median'));
    rest.take(of('how long|take|takes|took'));
    return true;
  }
  const cost = rest.take(COST);
  if (cost !== null) {
    const median = rest.take(of('median|p50|typical'));
    const mean = rest.take(of('on average|average|avg|mean'));
    const single = rest.take(of('(?:an?|one|a single|per|each|every) runs?'));
    note(cost, median !== null ? 'runCostP50' : mean !== null || single !== null ? 'runCostAvg' : 'runCost');
    rest.take(RUNS);
    return true;
  }
  return note(rest.take(RUNS), 'runs');
}

function readGuardrails(rest: Rest, note: Note): void {
  if (!rest.has(of('guardrails?|blocked|redacted|flagged'))) return;
  const rules: readonly Rule[] = [
    [of('guardrails? block rate|block(?:ed)? rate'), 'guardrailBlockRate'],
    [of('blocked guardrails? checks?|guardrails? blocks?|blocked(?: texts?)?|blocks?'), 'guardrailBlocks'],
    [of('guardrails? flags?|flagged(?: texts?)?'), 'guardrailFlags'],
    [of('guardrails? redactions?|redacted(?: texts?)?'), 'guardrailRedactions'],
    [of('guardrails? checks?'), 'guardrailChecks'],
  ];
  for (const [pattern, ...measures] of rules)
    if (note(rest.take(pattern), ...measures)) {
      rest.take(of('texts?(?: (?:did|do) (?:the )?guardrails?)?'));
      rest.take(of('guardrails?'));
      return;
    }
}

/** Another statistic of a time, such as its median. */
function withStatistic(measure: Measure, rest: Rest): Measure {
  if (measure !== 'ttftP95') return measure;
  for (const [pattern, ending] of STATISTICS) if (rest.take(pattern) !== null) return `ttft${ending}`;
  return measure;
}

function readLatency(rest: Rest, note: Note): void {
  const isTime = rest.has(LATENCY);
  const taken: { at: number; ending: 'P50' | 'P90' | 'P95' | 'P99' | 'Avg' }[] = [];
  if (isTime || rest.has(/\bp(?:50|90|95|99)\b/))
    for (const [pattern, ending] of STATISTICS)
      for (let found = rest.take(pattern); found !== null; found = rest.take(pattern))
        taken.push({ at: found.at, ending });
  let first: Taken | null = null;
  for (let found = rest.take(LATENCY); found !== null; found = rest.take(LATENCY)) first ??= found;
  if (first !== null) rest.take(of('do|does|did') as RegExp);
  if (taken.length > 0)
    for (const { at, ending } of taken) note({ at, text: '', groups: [] }, `latency${ending}`);
  else note(first, 'latencyP95');
  if (first !== null)
    rest.take(of('(?:take|takes|took|taking)(?: to (?:answer|respond|reply|finish|complete))?'));
  if (first !== null || taken.length > 0) rest.take(of('percentiles?'));
}

/** Failures are a measure, or with another measure a filter: `cost of failed calls`. */
function readFailures(rest: Rest, hasMeasure: boolean, note: Note): string[] {
  const among = of(
    `(?:of|for|on|by|in|from) (?:the |our |all )?(?:failed|failing) ${CALLS}|(?:of|for|on) (?:failures|errors)|failed ${CALLS}`,
  );
  if (
    hasMeasure &&
    !rest.has(of(`(?:and|,|,? and) (?:the )?(?:${FAIL.source})`)) &&
    rest.take(among) !== null
  )
    return ['status:failed'];
  while (note(rest.take(FAIL), 'errors')) {}
  return [];
}

/** Calls are a measure of their own, or beside another one what it is of. */
function readRequests(rest: Rest, hasMeasure: boolean, note: Note): void {
  if (!hasMeasure) {
    note(rest.take(REQUESTS), 'requests');
    rest.take(REQUESTS);
    return;
  }
  note(rest.take(of(`(?<=(?:and|&|,|plus) (?:the )?(?:number of )?)${CALLS}`)), 'requests');
  note(rest.take(of(`(?:number of )?${CALLS}(?= ?(?:and|&|,))`)), 'requests');
  while (rest.take(of(`${CALLS}|used?|usage`)) !== null) {}
}
