import type { Rest } from './rest.ts';

const OVER =
  'slower than|longer than|more than|greater than|bigger than|larger than|higher than|over|above|exceeding|at least|>=|>';
const UNDER =
  'faster than|quicker than|shorter than|less than|fewer than|smaller than|lower than|cheaper than|under|below|at most|<=|<';
const BOUND = `(?:(${OVER})|(${UNDER})) ?`;
const NUMBER = '(\\d[\\d,]*(?:\\.\\d+)?)';
const VERB =
  '(?:(?:where|whose|when) (?:the )?latency (?:is|was) |(?:(?:that|which) )?(?:took|take|takes|taking|lasted|were|was|are|with)(?: a)? (?:latency (?:of )?)?)?';

const TIME = new RegExp(`\\b${VERB}${BOUND}${NUMBER} ?(ms|milliseconds?|s|secs?|seconds?|mins?|minutes?)\\b`);
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

const operatorOf = (over: string): string =>
  over === '' ? '<' : over === 'at least' || over === '>=' ? '>=' : '>';
const plain = (number: string): string => number.replaceAll(',', '');

/** Takes bounds of numbers, and kinds of calls. The filters, in the filter language. */
export function readFilters(rest: Rest): string[] {
  const filters: string[] = [];
  const time = rest.take(TIME);
  if (time !== null) {
    const [over = '', , number = '', unit = ''] = time.groups;
    const short =
      unit.startsWith('ms') || unit.startsWith('milli') ? 'ms' : unit.startsWith('s') ? 's' : 'min';
    filters.push(`latency${operatorOf(over)}${plain(number)}${short}`);
  }
  const cost = rest.take(COST);
  if (cost !== null) {
    const [over = '', , dollars = '', other = ''] = cost.groups;
    const isCents = cost.text.includes('cent');
    const amount = Number(plain(dollars === '' ? other : dollars)) / (isCents ? 100 : 1);
    filters.push(`cost${operatorOf(over)}${amount}`);
    // "Expensive calls over $2" are counted: the bound says how expensive.
    rest.take(/\b(?:expensive|costly|pricey) (?=(?:calls?|requests?)\b)/);
  }
  const tokens = rest.take(TOKENS);
  if (tokens !== null) {
    const [over = '', , number = '', scale = '', kind = ''] = tokens.groups;
    filters.push(`${FIELDS[kind] ?? 'tokens'}${operatorOf(over)}${plain(number)}${scale}`);
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
