import { type Detector, MAX_MATCHES, type Match } from '../match.ts';
import { classOf, DIGIT, LETTER, WORD } from '../text/characters.ts';
import { foldPattern } from '../text/fold-pattern.ts';
import { digitsOf, isTrivial } from './checksums.ts';
import type { NationalId } from './national-ids.ts';

/** Characters around an id in which its word counts. */
const BEFORE = 50;
const AFTER = 25;
/** Longer runs of digits or letters begin no id. */
const MAX_RUN = 20;
/** Runs of letters of this length and more are all of an id, or its first part, if the whole has `LONG` characters. */
const LONG_RUN = 6;
const LONG = 16;

/** What is known of a text: the matches of each id, the end of the last one, and whether its word is in the text. */
type Scan = {
  readonly text: string;
  readonly matches: Match[][];
  readonly ends: number[];
  readonly hasWord: (boolean | undefined)[];
};

/** Finds national ids. One pass over the text tells where one may begin, and which; a form is only tried there. */
export function nationalIdsOf(ids: readonly NationalId[]): Detector {
  const finders = ids.map(finderOf);
  const byRun = (lengthsOf: (id: NationalId) => readonly number[]): (typeof finders)[] =>
    Array.from({ length: MAX_RUN + 1 }, (_, length) =>
      finders.filter((_, i) => lengthsOf(ids[i] as NationalId).includes(length)),
    );
  const byDigits = byRun(({ form }) => form.digits);
  const byLetters = byRun(({ form }) => form.letters);
  return {
    type: 'national_id',
    scan(text) {
      const scan: Scan = { text, matches: [], ends: [], hasWord: [] };
      for (let start = 0; start < text.length; ) {
        const kind = classOf(text.charCodeAt(start));
        if ((kind & WORD) === 0) {
          start++;
          continue;
        }
        const run = endOf(text, start, kind & (DIGIT | LETTER));
        const end = endOf(text, run, WORD);
        if ((kind & (DIGIT | LETTER)) !== 0 && isStart(text, start)) {
          const isNumber = (kind & DIGIT) !== 0;
          if (isNumber || isCode(text, start, run, end)) {
            const some = (isNumber ? byDigits : byLetters)[run - start] ?? [];
            for (let i = 0; i < some.length; i++) some[i]?.(scan, start);
          }
        }
        start = end;
      }
      return scan.matches.flat();
    },
  };
}

/** Where a run of characters of a class ends. */
function endOf(text: string, start: number, kind: number): number {
  let end = start;
  while (end < text.length && (classOf(text.charCodeAt(end)) & kind) !== 0) end++;
  return end;
}

/** Whether no sign of a longer number stands before a place. */
function isStart(text: string, at: number): boolean {
  const before = at === 0 ? BLANK : text.charCodeAt(at - 1);
  return before !== DOT && before !== COMMA && before !== PLUS && before !== MINUS;
}

const [BLANK, PLUS, COMMA, MINUS, DOT] = [32, 43, 44, 45, 46];

/** Whether letters may begin an id: digits follow, or some of its digits are written as letters. */
function isCode(text: string, start: number, run: number, end: number): boolean {
  if (run - start >= LONG_RUN) return end - start === LONG;
  if (run >= text.length) return false;
  const next = text.charCodeAt(run);
  return (classOf(next) & DIGIT) !== 0 || next === MINUS || next === BLANK;
}

/** Tries the form of an id at a place, after the last one that was found. */
function finderOf(
  { type, form: { pattern }, isValid, word: raw, needsWord }: NationalId,
  number: number,
): (scan: Scan, start: number) => void {
  const word = foldPattern(raw);
  return ({ text, matches, ends, hasWord }, start) => {
    if (start < (ends[number] ?? 0)) return;
    pattern.lastIndex = start;
    if (!pattern.test(text)) return;
    const end = pattern.lastIndex;
    ends[number] = end;
    // Most texts have many numbers and none of the words.
    if (needsWord) hasWord[number] ??= word.test(text);
    if (hasWord[number] === false) return;
    const isNamed = word.test(text.slice(Math.max(0, start - BEFORE), end + AFTER));
    if (needsWord && !isNamed) return;
    const found = text.slice(start, end);
    const digits = digitsOf(found);
    if (digits.length > 6 && isTrivial(digits)) return;
    if (isValid !== undefined && !isValid(found)) return;
    const own = matches[number] ?? [];
    matches[number] = own;
    if (own.length < MAX_MATCHES) own.push({ type, start, end, confidence: isNamed ? 0.95 : 0.8 });
  };
}
