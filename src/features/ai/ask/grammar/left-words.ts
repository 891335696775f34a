import { lookUp } from '../../../../lib/text/look-up.ts';
import type { Kind, Rest, Token } from './rest.ts';
import { EMPTY } from './words.ts';

/** Words that say nothing by themselves: what follows them must be one of these. */
const BEFORE: Readonly<Record<string, readonly Kind[]>> = {
  of: ['name', 'bound', 'time', 'group', 'rank', 'measure', 'phrase'],
  for: ['name', 'bound', 'time', 'group', 'rank', 'measure'],
  in: ['name', 'time', 'group', 'measure'],
  on: ['name', 'time', 'group', 'bound', 'measure'],
  at: ['name', 'time'],
  to: ['name', 'group'],
  from: ['name', 'time', 'group'],
  with: ['name', 'bound', 'measure', 'rank'],
  using: ['name'],
  within: ['name', 'time'],
  during: ['time'],
  over: ['time'],
  across: ['name', 'group'],
  among: ['name', 'group'],
  per: ['group'],
  by: ['name', 'group', 'measure', 'rank'],
  each: ['group'],
  every: ['group'],
  between: ['comparison'],
  '-': ['time', 'bucket', 'group'],
  '–': ['time', 'bucket', 'group'],
  vs: ['measure'],
  'vs.': ['measure'],
  versus: ['measure'],
  number: ['measure', 'bound'],
  count: ['measure', 'bound'],
  amount: ['measure'],
  sum: ['measure'],
  only: ['name', 'bound', 'time'],
  just: ['name', 'bound', 'time'],
};
/** Those that may end a question: `which models do we spend the most on`. */
const LAST: ReadonlySet<string> = new Set(['of', 'for', 'on', 'to', 'from', 'with', 'by', 'in']);
/** Those that may also follow what they belong to: `error count`, `production only`. */
const AFTER: Readonly<Record<string, readonly Kind[]>> = {
  number: ['measure'],
  count: ['measure', 'name'],
  amount: ['measure'],
  sum: ['measure'],
  only: ['name', 'bound'],
  just: ['name', 'bound'],
};
const CONNECTORS: ReadonlySet<string> = new Set(['and', 'or', ',', '&', '+', 'plus', 'but']);

/**
 * The words of a question that no rule used, and that are neither empty nor in a place where they are.
 * @param isOrdered whether there are groups or steps, which a measure can order: `top users by cost`
 */
export function leftWords(rest: Rest, isOrdered: boolean): string[] {
  const tokens = rest.tokens();
  const mayEnd = tokens.some((token) => 'word' in token && /^(?:which|what|who|whom)$/.test(token.word));
  return tokens.flatMap((token, place) =>
    'word' in token && !isExplained(token.word, tokens, place, { mayEnd, isOrdered }) ? [token.word] : [],
  );
}

function isExplained(
  word: string,
  tokens: readonly Token[],
  place: number,
  { mayEnd, isOrdered }: { readonly mayEnd: boolean; readonly isOrdered: boolean },
): boolean {
  if (EMPTY.has(word)) return true;
  if (CONNECTORS.has(word)) return word !== 'but' || place === 0;
  const allowed = lookUp(BEFORE, word);
  if (allowed === undefined) return false;
  const next = tokens.slice(place + 1).find((token) => 'kind' in token || !isLink(token.word));
  // Then the word after it is the one that is not understood.
  if (next !== undefined && 'word' in next && !CONNECTORS.has(next.word)) return true;
  if (next === undefined) {
    if (mayEnd && LAST.has(word)) return true;
  } else if ('kind' in next && allowed.includes(next.kind))
    return word !== 'by' || next.kind !== 'measure' || isOrdered;
  const before = tokens[place - 1];
  return before !== undefined && 'kind' in before && lookUp(AFTER, word)?.includes(before.kind) === true;
}

/** What may stand between a preposition and its noun. */
const isLink = (word: string): boolean => EMPTY.has(word) || Object.hasOwn(BEFORE, word);
