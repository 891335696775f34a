import type { Rest, Taken } from './rest.ts';

const OVER =
  'slower than|longer than|more expensive than|costlier than|more than|greater than|bigger than|larger than|higher than|over|above|exceeding|at least|>=|>';
const UNDER =
  'faster than|quicker than|shorter than|less than|fewer than|smaller than|lower than|cheaper than|under|below|at most|<=|<';
const BOUND = `(?:(${OVER})|(${UNDER})) ?`;
const NUMBER = '(\\d[\\d,]*(?:\\.\\d+)?)';
const VERB =
  '(?:(?:where|whose|when) (?:the )?latency (?:is|was) |(?:(?:that|which) )?(?:took|take|takes|taking|lasted|were|was|are|with)(?: a)? (?:latency (?:of )?)?)?';

const TIME = new RegExp(`\\b${VERB}${BOUND}${NUMBER} ?(ms|milliseconds?|s|secs?|seconds?|mins?|minutes?)\\b`);
const BETWEEN = new RegExp(
  `\\b${VERB}between ${NUMBER}(?: ?(?:ms|milliseconds?|s|secs?|seconds?|mins?|minutes?))? and ${NUMBER} ?(ms|milliseconds?|s|secs?|seconds?|mins?|minutes?)\\b`,
);
const COST = new RegExp(
  `(?:\\b(?:that |which )?cost(?:s|ing)? )?(?<![\\w])${BOUND}(?:\\$ ?${NUMBER}|${NUMBER} ?(?:dollars?|usd|cents?))`,
);
const TOKENS = new RegExp(
  `(?:\\b(?:with|using|having) )?(?<![\\w])${BOUND}${NUMBER} ?(k|m)? ?(input|prompt|output|completion|reasoning|cached)? ?tokens?\\b`,
);

const FIELDS: Readonly<Record<string, string>> = {
  input: 'input',
  prompt: 'input',
  output: 'output',
  completion: 'output',
  reasoning: 'reasoning',
  cached: 'cached',
};

const shortOf = (unit: string): string =>
  unit.startsWith('ms') || unit.startsWith('milli') ? 'ms' : unit.startsWith('s') ? 's' : 'min';
const operatorOf = (over: string, under = ''): string =>
  over === ''
    ? under === 'at most' || under === '<='
      ? '<='
      : '<'
    : over === 'at least' || over === '>='
      ? '>='
      : '>';
const plain = (number: string): string => number.replaceAll(',', '');

/** What a bound can be of: a call. The last noun before it says whether it is. */
const NOUN =
  /\b(?:(calls?|requests?|queries|invocations?|errors?|failures?|timeouts?|traffic|embeddings?|responses|ones?)|users?|customers?|sessions?|conversations?|models?|agents?|tools?|teams?|prompts?|keys?|releases?|providers?|environments?|features?|runs?|spend|spending|costs?|latency|ttft|tokens?|rates?|days?|hours?|weeks?|bills?)\b/g;

/** Takes a bound of calls; one of anything else is no filter. */
function takeBound(rest: Rest, pattern: RegExp): Taken | null {
  const found = pattern.exec(rest.text);
  if (found === null) return null;
  const last = [...rest.text.slice(0, found.index).matchAll(NOUN)].at(-1);
  const isClause = /^(?:where|whose)\b/.test(found[0]);
  return last?.[1] === undefined && !isClause ? null : rest.take(pattern);
}

/** Takes bounds of numbers, and kinds of calls. The filters, in the filter language. */
export function readFilters(rest: Rest): string[] {
  const filters: string[] = [];
  const between = takeBound(rest, BETWEEN);
  if (between !== null) {
    const [from = '', to = '', unit = ''] = between.groups;
    filters.push(`latency:${plain(from)}${shortOf(unit)}..${plain(to)}${shortOf(unit)}`);
  }
  const time = between === null ? takeBound(rest, TIME) : null;
  if (time !== null) {
    const [over = '', under = '', number = '', unit = ''] = time.groups;
    filters.push(`latency${operatorOf(over, under)}${plain(number)}${shortOf(unit)}`);
  }
  const cost = takeBound(rest, COST);
  if (cost !== null) {
    const [over = '', under = '', dollars = '', other = ''] = cost.groups;
    const isCents = cost.text.includes('cent');
    const amount = Number(plain(dollars === '' ? other : dollars)) / (isCents ? 100 : 1);
    filters.push(`cost${operatorOf(over, under)}${amount}`);
    // "Expensive calls over $2" are counted: the bound says how expensive.
    rest.take(/\b(?:expensive|costly|pricey) (?=(?:calls?|requests?)\b)/);
  }
  const tokens = takeBound(rest, TOKENS);
  if (tokens !== null) {
    const [over = '', under = '', number = '', scale = '', kind = ''] = tokens.groups;
    filters.push(`${FIELDS[kind] ?? 'tokens'}${operatorOf(over, under)}${plain(number)}${scale}`);
  }
  const without = rest.take(
    /\b(?:not|without|excluding|except(?: for)?) (?:the )?embeddings?(?: (?:calls|requests))?\b/,
  );
  if (without !== null) filters.push('-kind:embedding');
  else if (rest.take(/\bembeddings?\b/) !== null) filters.push('kind:embedding');
  if (rest.take(/\b(?:non-?streamed|non-?streaming|not streamed)\b/) !== null) filters.push('stream:false');
  else if (rest.take(/\b(?:streamed|streaming)\b/) !== null) filters.push('stream:true');
  return filters;
}
