import type { MetricDimension } from '../../../../core/events/query/contract.ts';
import type { Name } from '../question.ts';
import type { Rest } from './rest.ts';
import { isVocabulary, NOUNS, SYNONYM_OF_USER } from './words.ts';

/** A value in a question: it must be, or must not be. `glob`: all values that begin with it. */
export type Mention = {
  readonly at: number;
  readonly end: number;
  readonly dimension: MetricDimension;
  readonly value: string;
  readonly isGlob: boolean;
  readonly not: boolean;
};

/** Short forms of common environments. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  prod: 'production',
  dev: 'development',
  stage: 'staging',
};
/** What turns a value round, just before it. */
const NOT =
  /(?:\bnot (?:counting|including)|\b(?:but |that |which |and )?(?:is |are )?not (?:in|by|from|for|on|with|of|using)|\b(?:(?:that|which|who) )?(?:isn't|aren't|wasn't|weren't|is not|are not)(?: (?:in|by|from|for|on|with|using))?|\b(?:but )?not|\b(?:all|everything|anything|anyone|everyone) but|\bexcept (?:in|by|from|for|on|with)|\bexcluding|\bexclude|\bexcept(?: for)?|\bwithout|\bother than|\bbesides|\bapart from|\bignoring|\bminus)(?: the| any)?\s*$/;

/**
 * Takes the values that a question mentions. A value counts as mentioned if it is there whole; `-`, `_` and spaces are
 * the same. One that consists of words of the grammar counts only in quotes, so that no name of a project can change what
 * other words mean.
 */
export function readNames(rest: Rest, names: readonly Name[], tags: readonly string[]): Mention[] {
  const mentions: Mention[] = [];
  readQuoted(rest, names, { tags, mentions });
  const known = names.toSorted((a, b) => b.value.length - a.value.length || b.calls - a.calls);
  for (const name of known) {
    if (name.value.length < 2 || name.value.length > 200) continue;
    for (const form of formsOf(name)) readForm(rest, name, form, { names, tags, mentions });
  }
  readIds(rest, tags, mentions);
  readFamilies(rest, names, mentions);
  return withCarriedNot(
    mentions.toSorted((a, b) => a.at - b.at),
    rest,
  );
}

/** "Excluding A and B" excludes both. */
function withCarriedNot(mentions: readonly Mention[], rest: Rest): Mention[] {
  const done: Mention[] = [];
  for (const mention of mentions) {
    const last = done.at(-1);
    const between = last === undefined ? '' : rest.text.slice(last.end, mention.at);
    const carries =
      last?.not === true &&
      last.dimension === mention.dimension &&
      /^\s*(?:and|or|nor|,|, and|&)\s*$/.test(between);
    done.push(carries ? { ...mention, not: true } : mention);
  }
  return done;
}

type Found = {
  readonly names: readonly Name[];
  readonly tags: readonly string[];
  readonly mentions: Mention[];
};

const formsOf = ({ dimension, value }: Name): string[] => {
  const own = value.toLowerCase();
  const short = Object.entries(SHORT_FORMS).find(([, long]) => long === own)?.[0];
  return dimension === 'environment' && short !== undefined ? [own, short] : [own];
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const SEPARATORS = /[-_./:\s]+/;

/** Null if a text cannot have the value. */
function patternOf(form: string, text: string): RegExp | null {
  const parts = form.split(SEPARATORS).filter((part) => part !== '');
  const [first = ''] = parts;
  if (first === '' || parts.length > 12 || !text.includes(first)) return null;
  const between = /\d/.test(form) ? '[_./:\\s-]?' : '[_./:\\s-]';
  return new RegExp(`(?<![\\w./@-])${parts.map(escaped).join(between)}(?![\\w@]|[_./:@-]\\w)`);
}

function readForm(rest: Rest, name: Name, form: string, found: Found): void {
  const pattern = patternOf(form, rest.text);
  if (pattern === null) return;
  for (let match = pattern.exec(rest.text); match !== null; match = pattern.exec(rest.text)) {
    const place = { at: match.index, end: match.index + match[0].length };
    if (!endsWithNoun(match[0], name.dimension) && !standsAlone(match[0])) return;
    const noun = nounAround(rest, place, found.tags);
    const same = found.names.filter(({ value }) => value.toLowerCase() === name.value.toLowerCase());
    const meant = noun === null ? same : same.filter(({ dimension }) => dimension === noun.dimension);
    const [chosen] = meant.toSorted((a, b) => b.calls - a.calls);
    // "Of user search" names a user, and "search" is a value of something else.
    if (noun !== null && chosen === undefined && isNamed(rest, noun, place)) return;
    // A noun of another dimension is no part of the name.
    if (chosen === undefined || noun === null) take(rest, chosen ?? name, place, found.mentions);
    else take(rest, chosen, noun, found.mentions);
  }
}

/** The name of an agent may be `search agent`. */
function endsWithNoun(text: string, dimension: MetricDimension): boolean {
  const words = text.split(SEPARATORS);
  const [, noun] =
    NOUNS.find(
      ([pattern, one]) => one === dimension && new RegExp(`^${pattern}$`).test(words.at(-1) ?? ''),
    ) ?? [];
  return noun !== undefined && words.length > 1 && !words.slice(0, -1).some(isVocabulary);
}

/** Whether words mean nothing else: no single one of several, and not the only one, is a word of the grammar. */
function standsAlone(text: string): boolean {
  const bySpaces = text.split(/\s+/);
  const parts = text.split(SEPARATORS);
  return bySpaces.length > 1
    ? !bySpaces.some((word) => isVocabulary(word) && !/^\d/.test(word))
    : !isVocabulary(text) && (!parts.every(isVocabulary) || (/[a-z]/.test(text) && /\d/.test(text)));
}

type Place = { readonly at: number; readonly end: number };

/** The noun just before or after a place: `user 42`, `the welcome prompt`. */
function nounAround(
  rest: Rest,
  { at, end }: Place,
  tags: readonly string[],
): (Place & { readonly dimension: MetricDimension }) | null {
  const [before, after] = [rest.text.slice(0, at), rest.text.slice(end)];
  for (const [pattern, dimension] of nounsWith(tags)) {
    const ahead = new RegExp(`\\b${pattern} "?$`).exec(before);
    if (ahead !== null) return { at: ahead.index, end, dimension };
    const behind = new RegExp(`^"? ${pattern}\\b`).exec(after);
    if (behind !== null) return { at, end: end + behind[0].length, dimension };
  }
  return null;
}

/** Whether the noun just before a place says what its value is: `of user X`, `user X errors`. */
const isNamed = (rest: Rest, noun: Place, place: Place): boolean =>
  noun.at < place.at &&
  !/\b(?:by|per|each|every|which|what|top|most|\d|¦) ?(?:\w+ )?$/.test(rest.text.slice(0, noun.at));

const isCustomer = (tag: string): boolean => tag.toLowerCase() === SYNONYM_OF_USER;

/** The nouns of dimensions and the names of tags. */
export const nounsWith = (tags: readonly string[]): (readonly [string, MetricDimension])[] => [
  ...tags
    .filter((tag) => isCustomer(tag) || !isVocabulary(tag.toLowerCase()))
    .map((tag) => [`(?:tag )?${escaped(tag.toLowerCase())}s?`, `tag:${tag}` as const] as const),
  ...NOUNS,
];

function take(
  rest: Rest,
  { dimension, value }: Pick<Name, 'dimension' | 'value'>,
  { at, end }: Place,
  mentions: Mention[],
  isGlob = false,
): void {
  const not = NOT.exec(rest.text.slice(0, at));
  const from = not?.index ?? at;
  rest.remove(from, end - from);
  mentions.push({ at: from, end, dimension, value, isGlob, not: not !== null });
}

/** Values in quotes: any known one, or with its noun any at all. */
function readQuoted(rest: Rest, names: readonly Name[], { tags, mentions }: Omit<Found, 'names'>): void {
  const pattern = /"([^"¦]{1,200})"/;
  for (let match = pattern.exec(rest.text); match !== null; match = pattern.exec(rest.text)) {
    const text = match[1] ?? '';
    const place = { at: match.index, end: match.index + match[0].length };
    const noun = nounAround(rest, place, tags);
    const known = names
      .filter(
        ({ value, dimension }) =>
          value.toLowerCase() === text && (noun === null || dimension === noun.dimension),
      )
      .toSorted((a, b) => b.calls - a.calls)[0];
    const meant = known ?? (noun === null ? null : { dimension: noun.dimension, value: text });
    if (meant === null) return;
    take(rest, meant, { at: noun?.at ?? place.at, end: noun?.end ?? place.end }, mentions);
  }
}

const ID_NOUNS: Readonly<Record<string, MetricDimension>> = {
  user: 'userId',
  customer: 'userId',
  session: 'sessionId',
  conversation: 'sessionId',
  release: 'release',
};

/** Ids after a noun that only ids follow: `user 42`, `session s-1`. */
function readIds(rest: Rest, tags: readonly string[], mentions: Mention[]): void {
  const customers = tags.find(isCustomer);
  const pattern =
    /(?<!\b(?:by|per|each|every|top|which|what) )\b(user|customer|session|conversation|release) ((?=[\w.@:-]*[\d@_-])[\w.@:-]{1,200})(?![\w§])/;
  for (let match = pattern.exec(rest.text); match !== null; match = pattern.exec(rest.text)) {
    const [all, noun = '', value = ''] = match;
    const dimension =
      noun === SYNONYM_OF_USER && customers !== undefined ? (`tag:${customers}` as const) : ID_NOUNS[noun];
    if (dimension === undefined) return;
    take(rest, { dimension, value }, { at: match.index, end: match.index + all.length }, mentions);
  }
}

/** The first word of several models, such as `claude`. */
function readFamilies(rest: Rest, names: readonly Name[], mentions: Mention[]): void {
  const families = new Set(
    names.flatMap(({ dimension, value }) => {
      const [first = ''] = value.toLowerCase().split(/[-_./:\s]/);
      return dimension === 'model' && /^[a-z]{3,20}$/.test(first) && !isVocabulary(first) ? [first] : [];
    }),
  );
  for (const family of families) {
    const match = new RegExp(`(?<![\\w-])${family}(?: models?)?(?![\\w-])`).exec(rest.text);
    if (match === null) continue;
    const place = { at: match.index, end: match.index + match[0].length };
    take(rest, { dimension: 'model', value: `${family}*` }, place, mentions, true);
  }
}
