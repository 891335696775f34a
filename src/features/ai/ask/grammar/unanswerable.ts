/** What words that are all understood ask for together, and no query can say. */
const UNANSWERABLE: readonly (readonly [RegExp, string])[] = [
  [/\b(?:costs?|spend|price) (?:of|on|for) (?:\w+ ){0,2}tokens?\b/, 'the cost of some tokens of a call'],
  [
    /\b(?:grew|grow|grows|grown|growing|increas\w+|rose|rising|dropp\w+|fell|falling|chang\w+) (?:the )?(?:fastest|quickest|slowest|most|least)\b|\b(?:fastest|quickest|slowest)[- ](?:growing|increasing|rising|falling)\b|\b(?:biggest|largest|highest|greatest|most|top) (?:\w+ ){0,2}(?:increases?|rises?|drops?|changes?|growth|jumps?|decreases?)\b/,
    'an order by how much something changed',
  ],
  [/\bhow (?:to|do i|do we)\b|\b(?:to|can|should|could|would) (?:i |we )?(?:lower|reduce|cut)\b/, 'how to'],
  [/\b(?:in|from|within) (?:the )?us\b/, 'us'],
  [/\b(?:total|sum of|cumulative|summed) (?:the )?(?:latenc|duration|response time)/, 'a sum of latencies'],
  [
    /\b(?:increase|growth|rise|drop|decrease|change)s? (?:in|of) .{1,40}\b(?:over|on) (?:last|yesterday|the previous)\b(?! \d)/,
    'over',
  ],
  [
    /\b(?:latency|time|duration|token|tokens|ttft) distribution\b|\bdistribution of (?:the )?(?:latenc\w+|response|durations?|tokens)\b/,
    'distribution',
  ],
  [
    /\b(?:max(?:imum)?|min(?:imum)?|longest|shortest|peak)\b(?= (?:\w+ )?(?:latency|response|durations?|time|costs?|tokens?|price|run|call|request))/,
    'the value of a single call',
  ],
  [
    /\b(?:an?|one|single|average|typical) (?:user|customer|session|conversation|agent|team|key|day|week|month|release)\b(?! by)/,
    'a mean per group',
  ],
  [/\bwhat (?:caus\w+|made|makes|is causing|drives?|drove)\b|\bwho (?:caused|is causing)\b/, 'the cause'],
  [/\bhow come\b/, 'how come'],
  [
    /\b(?:average|avg|mean|typical|median) (?:\w+ ){0,2}(?:spend|spending|costs?|price|tokens|requests|calls|usage|errors) (?:per|by|for each|of each|each) (?:user|customer|session|conversation|team|day|week|month|hour)s?\b|\b(?:average|avg|mean|typical|median) (?:daily|weekly|monthly|hourly)\b/,
    'a mean per group',
  ],
  [
    /\b(?:with|having|without) (?:an? |any |no )?(?:user|customer|session|tool|agent|prompt|release)s?\b(?! ["\w]*[-_\d])/,
    'calls with or without one',
  ],
  [
    /\b(?:number of|count of|amount of|most|fewest|least|fewer|many) (?:the |our )?(?:different |distinct |unique |(?<!most )active )?(?:users|customers|people|sessions|conversations|models|agents|tools|teams|prompts|keys|releases|providers|environments|features|versions|deployments)\b/,
    'the number of values',
  ],
  [
    /\b(?:(?:most )?expensive|slowest|fastest|costliest|priciest|cheapest|longest|largest|biggest|top(?: \d+| three| five| ten)?|last \d+|latest) (?:\d+ )?(?:calls|requests|runs)\b(?! (?:over|above|costing|that cost))|\btop(?: \d+| three| five| ten) (?:errors|failures)\b/,
    'single calls',
  ],
  [
    /(?<!\b(?:no|known|without a|without) )\bprices?\b(?! of (?:an? |one |each )?(?:average |typical |single )?(?:call|request))(?! per)/,
    'a price of the list',
  ],
  [/\bin (?:real[- ]?time|general)\b/, 'in general'],
];

/** Things that no query can say, seen before any word is taken. */
export const unanswerable = (text: string): string[] =>
  UNANSWERABLE.flatMap(([pattern, what]) => (pattern.test(text) ? [what] : []));
