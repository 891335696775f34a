import type { MetricsDocument } from '../../../../core/events/query/contract.ts';
import type { Rest, Taken } from './rest.ts';
import { isVocabulary } from './words.ts';

type Measure = MetricsDocument['measures'][number];

/** What a question measures, and the filters that its words for it imply. */
export type Measured = {
  readonly measures: readonly Measure[];
  readonly filters: readonly string[];
  /** Where they are said, in the order of the question. */
  readonly places: readonly Place[];
};
type Place = {
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly measures: readonly Measure[];
};

/** How a pattern is taken: the measures that it means, in the order of the question. */
type Rule = readonly [RegExp, ...Measure[]];

const CALLS = '(?:requests?|calls?|invocations?|queries)';
const PER_CALL = `(?:per|for an?|of an?|an?|each|/) ?${CALLS}`;
const ONE_CALL =
  /\b(?:per|for an?|for each|of an?|one|an? single|each|an? average|an? typical|average|typical|(?:does|did) an?) (?:request|call)(?![\w])/;
const SINGLE_CALL = '(?:request|call)(?! to)';
const of = (text: string): RegExp => new RegExp(`\\b(?:${text})(?![\\w])`);

/** Before others, since they contain their words. */
const SPECIFIC: readonly Rule[] = [
  [of('time[- ]to[- ](?:the )?first[- ]tokens?|ttft|first token (?:time|latency)'), 'ttftP95'],
  [
    of(
      'tokens? (?:(?:generated|produced) )?(?:per|a|/) ?sec(?:ond)?s?|tok/s|(?:output|generation|token) speed|generat\\w+ tokens? (?:the )?(?:fastest|slowest)',
    ),
    'tokensPerSec',
  ],
  [
    of(
      `(?<!(?:limited|failed|failing|cancell?ed|successful|throttled|unpriced|out) )${CALLS} (?:per|a|/) ?min(?:ute)?s?|throughput|rpm`,
    ),
    'throughput',
  ],
  [
    of(
      `(?:average|avg|mean|typical) (?:output|response|completion|answer|reply)(?: (?:length|size|tokens))+(?: ${PER_CALL})?|(?:(?:average|avg|mean) )?(?:output|completion) tokens? ${PER_CALL}|(?:average|avg|mean) (?:output|completion) tokens?`,
    ),
    'outputTokensAvg',
  ],
  [
    of(
      `(?:average|avg|mean|typical) (?:input|prompt)(?: (?:length|size|tokens))+(?: ${PER_CALL})?|(?:(?:average|avg|mean) )?(?:input|prompt) tokens? ${PER_CALL}|(?:average|avg|mean) (?:input|prompt) tokens?|(?:prompt|input) (?:size|length)`,
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
      '(?:prompt )?(?:cache|caching|cached)(?: hit)? (?:rate|ratio|share)|cache hits?|hit rate(?! limit)|(?:fraction|share|percentage|proportion|percent) of cached (?:input |prompt )?tokens|(?:fraction|share|percentage|part|percent) of (?:the |our )?(?:input|tokens) (?:that )?(?:(?:come|came|comes|is|are|was|were|read|served) ){0,2}(?:(?:from|by|in) )?(?:the |our |a )?cached?|prompt cach(?:e|ing)',
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
  [
    of(
      '(?:output|completion|generated) tokens?|tokens? (?:(?:were|was|are|is) )?(?:generated|produced|returned|received)',
    ),
    'outputTokens',
  ],
  [of('(?:input|prompt) tokens?|tokens? (?:(?:were|was|are|is) )?sent'), 'inputTokens'],
  [of('tokens? in(?:to)? and (?:tokens? )?out'), 'inputTokens', 'outputTokens'],
  [of('token (?:usage|volume|consumption|count|use)|tokens?'), 'tokens'],
  [
    of(
      'timeout rate|(?:percentage|percent|share|fraction|proportion) of (?:all )?(?:the |our )?(?:calls|requests) (?:that |which )?(?:have |had )?timed? out|time-?out percentage|how often (?:(?:do|does|did|have|has) )?(?:the |our )?(?:(?:calls|requests|¦+) )?time ?out',
    ),
    'timeoutRate',
  ],
  [of('time-?outs?(?: errors?)?|timed out|timing out|time out'), 'timeouts'],
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
  `(?:error|failure|fail) (?:rates?|percentage|ratio|share)|(?:percentage|percent|share|fraction|%|proportion) of (?:all )?(?:the |our )?${CALLS} (?:that |which )?(?:have |had )?(?:failed|fails?|failing|errored)|(?:percentage|percent|%) of (?:errors|failures)|(?:un)?reliab(?:le|ility)`,
);
const OFTEN = of('how often|how frequently|(?:more|less) (?:often|frequently)|often');
const FAIL = of(
  `(?:failed|unsuccessful|erroneous) ${CALLS}|failing ${CALLS}|failures?|errors?|failing|fails?|failed|errored|erroring|went wrong|go(?:es)? wrong|broken`,
);
const COST = of(
  'costs?|costing|costed|costl(?:ier|iest)|expenses?|expenditures?|invoiced?|fees?|wast(?:ed?|ing)|(?<=¦ (?:of )?(?:the |our |my ))budget|budget used|pric(?:ier|iest)|charged|cheaper|spen[dt]|spends|spendings?|spenders?|bills?|billed|burn(?:ed)?|money|paid|pay(?:ing)?|expensive|cheapest|how cheap|price[ys]?|dollars|cents|usd',
);
const LATENCY = of(
  'latenc(?:y|ies)|latanc(?:y|ies)|response times?|durations?|how (?:long|slow|fast|quick(?:ly)?)|slow(?:er|est|ness)?|fast(?:er|est)?|quick(?:er|est)?|take the longest|takes? longest|speed',
);
const MADE = of('ma(?:ke|kes|de|king)');
const VERBS = of(
  'hits?|hitting|consum(?:e|es|ed|ing)|generat(?:e|es|ed)|produc(?:e|es|ed)|caus(?:e|es|ed|ing)|come|comes|came',
);
const TIMES = of('how many times|times(?= (?:did|do|does|was|were|has|have))');
const REQUESTS = of(
  `how many times|${CALLS}|traffic|volume|usage|used?|uses|called|active|busiest|busy|popular(?:ity)?|adoption`,
);
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
  const found: Place[] = [];
  const note = (taken: Taken | null, ...measures: readonly Measure[]): boolean => {
    if (taken !== null)
      found.push({ at: taken.at, end: taken.at + taken.text.length, text: taken.text, measures });
    return taken !== null;
  };
  readScores(rest, scores, note);
  const filters: string[] = [];
  const isOfRuns = readRuns(rest, note);
  if (!isOfRuns) {
    readGuardrails(rest, note);
    const status = readStatus(rest);
    if (status !== null) filters.push(status);
    for (const [pattern, ...measures] of SPECIFIC)
      for (let taken = rest.take(pattern); taken !== null; taken = rest.take(pattern))
        note(taken, ...measures.map((name) => withStatistic(name, rest)));
    while (note(rest.take(ERROR_RATE), 'errorRate')) {}
    if (rest.has(OFTEN) && rest.has(FAIL)) {
      rest.take(OFTEN);
      note(rest.take(FAIL), 'errorRate');
    }
    readLatency(rest, note);
    const isOfOne = rest.has(COST) && rest.take(ONE_CALL) !== null;
    if (isOfOne) rest.take(of('on average'));
    while (note(rest.take(COST), isOfOne ? 'costAvg' : 'cost')) {}
  }
  if (found.length > 0) for (const pattern of [VERBS, TIMES]) while (rest.take(pattern) !== null) {}
  // How often something happened is how many times it did.
  if (found.length > 0) rest.take(OFTEN);
  filters.push(...readFailures(rest, found.length > 0, note));
  readRequests(rest, found.length > 0, note);
  const places = withoutAdjectives(
    rest,
    found.toSorted((a, b) => a.at - b.at),
  );
  // "Calls that X made"; but not "does X make it slower".
  if (places.some(({ measures }) => measures.some((one) => COUNTED.has(one)))) rest.take(MADE);
  return { measures: [...new Set(places.flatMap(({ measures }) => measures))], filters, places };
}

/** Measures of what is made: calls, runs, and what comes of them. */
const COUNTED: ReadonlySet<string> = new Set([
  'requests',
  'runs',
  'errors',
  'tokens',
  'successes',
  'unpriced',
]);
const ADJECTIVE = /^(?:expensive|cheapest|costliest|priciest|slowest|fastest|quickest|busiest)$/;

/** "The fastest model by time to first token": the measure is named after the adjective, which only gives the order. */
const withoutAdjectives = (rest: Rest, places: readonly Place[]): Place[] =>
  places.filter(({ text, end }, place) => {
    const next = places[place + 1];
    const between = next === undefined ? '' : rest.text.slice(end, next.at);
    return !(ADJECTIVE.test(text) && /\bby (?:the |their )?$/.test(between));
  });

/** Statuses of calls that another measure is of: `cost of timed out calls`. */
const STATUSES: readonly (readonly [string, string])[] = [
  ['failed|failing|unsuccessful', 'failed'],
  ['successful|succeeded', 'success'],
  ['timed[- ]out', 'timeout'],
  ['rate[- ]limited|throttled', 'rate_limited'],
  ['cancell?ed|aborted', 'cancelled'],
];

/** Takes the status of the calls that a cost, a time or tokens are of. */
function readStatus(rest: Rest): string | null {
  if (!rest.has(of(`${COST.source}|${LATENCY.source}|tokens?|ttft|time to first token`))) return null;
  for (const [words, status] of STATUSES) {
    const adjective = `(?:${words}) ${CALLS}`;
    const failed =
      status === 'failed' ? `|${CALLS} (?:with|that had|that got|having) (?:an? )?(?:errors?|failures?)` : '';
    const clause = `${CALLS} (?:that |which )(?:were |was |have |had |got )?(?:${words.replace('failing', 'fails?')})`;
    const pattern = `(?:of|for|on|from|in|by) (?:the |our |all )?(?:${adjective}|${clause}${failed})`;
    if (rest.take(of(pattern)) !== null) return `status:${status}`;
  }
  return null;
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

/** Words for the statistic of a measure of runs. */
const RUN_STATISTICS: Readonly<Partial<Record<Measure, string>>> = {
  runCostAvg: 'on average|average|avg|mean',
  runCostP50: 'median|p50|typical',
  runCostP95: 'p95',
  runLatencyAvg: 'on average|average|avg|mean',
  runLatencyP95: 'p95',
};

/** Measures of the runs of agents. They go with no measure of calls. */
function readRuns(rest: Rest, note: Note): boolean {
  if (!rest.has(RUNS)) return false;
  const isAverage = rest.has(of('average|avg|mean|on average|per|an?'));
  const is95 = rest.has(of('p95'));
  const isMedian = rest.has(of('median|p50|typical'));
  rest.take(/\bagent (?=runs?\b)/);
  const rules: readonly Rule[] = [
    [
      of('(?:cost|spend)s? (?:per|of an?|for an?) success(?:ful)? runs?|cost per success(?:ful run)?'),
      'runCostPerSuccess',
    ],
    [
      of('(?:cost|spend)s? (?:per|of an?|for an?) runs?'),
      isMedian ? 'runCostP50' : is95 ? 'runCostP95' : 'runCostAvg',
    ],
    [of('failed runs?|runs? (?:that |which )?(?:failed|fail|failing)|run failures'), 'failedRuns'],
    [of('runs? (?:error|failure) rates?|(?:error|failure) rates? of (?:the )?runs?'), 'runErrorRate'],
    [
      of(
        'runs? (?:latency|duration|time)|(?:latency|duration) of (?:an? |the )?runs?|runs? (?:of (?:the )?¦+ )?take',
      ),
      isAverage && !is95 && rest.has(of('average|avg|mean')) ? 'runLatencyAvg' : 'runLatencyP95',
    ],
    [of('runs? costs?'), isAverage ? 'runCostAvg' : 'runCost'],
  ];
  let any = false;
  const statistics: string[] = [];
  for (const [pattern, ...measures] of rules)
    if (note(rest.take(pattern), ...measures)) {
      any = true;
      statistics.push(...measures.flatMap((one) => RUN_STATISTICS[one] ?? []));
    }
  if (any) {
    // The mean of a count is no measure: then the word is left.
    for (const words of statistics) rest.take(of(words));
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
    `(?:of|for|on|by|in|from) (?:the |our |all )?(?:failed|failing|unsuccessful) ${CALLS}|(?:of|for|on) (?:failures|errors)|(?:failed|unsuccessful) ${CALLS}`,
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
  note(rest.take(of(`(?<=(?:and|&|,|plus|vs\\.?|versus) (?:the )?(?:number of )?)${CALLS}`)), 'requests');
  note(rest.take(of(`(?:number of )?${CALLS}(?= ?(?:and|&|,))`)), 'requests');
  while (
    rest.take(of(`(?<!(?:and|&|,|plus|or|vs\\.?|versus) (?:the )?)(?:${CALLS}|used?|usage|uses)`)) !== null
  ) {}
  note(rest.take(of('(?<=(?:and|&|,|plus) (?:the )?)(?:usage|traffic|volume)')), 'requests');
}
