import type { Rest } from './rest.ts';

const POLITE: readonly RegExp[] = [
  /^(?:ok|okay|so|well|right|hm+|just)\b,?/,
  /\b(?:can|could|would|will) you (?:please )?(?:tell|show|give|list|get|find|look at)\b|\b(?:can|could) (?:we|i) (?:please )?(?:see|get|have|know|find)\b/,
  /\b(?:can|could|would|will) you(?: please)?(?= (?:chart|graph|plot|compare|break|split|group|count|check|calculate)\b)/,
  /\b(?:i|we) would (?:like|love)(?: to (?:see|know|have|get|understand))?\b/,
  /\b(?:want|need) to (?:see|know|have|understand)\b/,
  /\bdo (?:you|we|i) know\b/,
  /\b(?:does|did|do|what|how)(?= .{0,60}\blooks? like\b)/,
  /\blook(?:s|ed)? like\b/,
  /\bif (?:there (?:are|were|is|was) )?any\b/,
  /\b(?:for|to) (?:me|us)\b/,
  /\bin (?:figures|numbers|detail)\b/,
  /\b(?:together|combined|altogether|in total|in all)\b/,
];

/** Takes what is only polite, and words that belong together and say nothing. */
export function readPhrases(rest: Rest): void {
  for (const pattern of POLITE) while (rest.take(pattern) !== null) {}
}

/** What a question asks for besides its measures and groups, said before these are read. */
export type Openings = {
  /** Asks to change the question before. */
  readonly isFollowUp: boolean;
  /** Says so with words that mean nothing else. */
  readonly needsContext: boolean;
  /** `where is the money going`: by model. */
  readonly asksWhere: boolean;
  readonly showsErrors: boolean;
  /** `breakdown`: needs a group or steps. */
  readonly isSplit: boolean;
  readonly asksWhichAre: boolean;
};

/** Takes how a question begins, and what it asks to see. */
export function readOpenings(rest: Rest): Openings {
  const needsContext =
    rest.take(/^(?:and |but )?(?:(?:what|how) about|same)\b|\binstead\b|\b(?:what|how) about\b/) !== null;
  const begins = rest.take(/^(?:and|but|now|ok|okay|only|just)\b/) !== null;
  readPhrases(rest);
  const showsErrors = rest.take(/\b(?<=errors? )breakdown\b|\bbreakdown of (?:the )?(?=errors?\b)/) !== null;
  const asksWhere =
    rest.take(
      /\bwhere (?:is|does|did|has|was|do)(?= .{0,20}(?:money|spend|budget))|\beating(?= .{0,10}budget)/,
    ) !== null;
  rest.take(
    /\b(?:eats?|eating|ate|chew(?:s|ing)?|burn(?:s|ing)?)(?: up| through)?(?= .{0,20}(?:budget|money|spend))/,
  );
  let isSplit = false;
  const split =
    /\b(?:breakdown|break(?:ing)? (?:it |this )?down|broken down|split up|(?<!¦ )(?:splitted|split|grouped)|(?:allocation|distribution))(?: of(?= the| our)?)?\b|\bsplit\b|\bbreak(?= (?:the |our )?\S+ (?:costs? |spend )?down\b)|\bdown(?= by\b)/;
  while (rest.take(split) !== null) isSplit = true;
  return {
    isFollowUp: needsContext || begins,
    needsContext,
    asksWhere,
    showsErrors,
    isSplit,
    asksWhichAre: /\b(?:which|what)\b.*\b(?:see|seen|have|exist|are|call|calls|use|uses)\b/.test(rest.text),
  };
}
