import { RE2JS } from 're2js';
import { type Budget, budgetOf } from '../../pace/budget.ts';
import { MAX_MATCHES, type Match } from '../match.ts';
import { patternSize } from './pattern-size.ts';

/** Texts beyond this are searched in pieces, which overlap. */
const PIECE = 65_536;
const OVERLAP = 1_024;

/**
 * A pattern of RE2 takes linear time, whatever it is and whatever it is used on. But the time is that of its length times
 * the text's, which may be minutes: hence the budgets.
 */
export type Pattern = {
  /** @throws TimeLimitError after `budgetMs` */
  find(text: string, budgetMs: number): Match[];
  /** Whether the pattern is somewhere in a text. @throws TimeLimitError when the budget is spent */
  test(text: string, budget: Budget): boolean;
};

/** A pattern is too large to be compiled in a moment. */
export class PatternSizeError extends Error {
  override readonly name = 'PatternSizeError';
}

/** A check took longer than it may. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** Most parts of a pattern with its repetitions written out: compiling that many takes a few milliseconds. */
const MAX_SIZE = 3_000;

/** Reads of a text between two looks at the clock. */
const READS = 16;

/** A text that can be read for some time only. The matcher reads it with this method, and cannot be stopped otherwise. */
class TimedText extends String {
  readonly #budget: Budget;
  #reads = 0;

  constructor(text: string, budget: Budget) {
    super(text);
    this.#budget = budget;
  }

  override charCodeAt(at: number): number {
    if (++this.#reads % READS === 0 && this.#budget.isSpent())
      throw new TimeLimitError(`the pattern took longer than ${this.#budget.ms} ms`);
    return super.charCodeAt(at);
  }
}

/** The matcher takes a String for a string. */
const timed = (text: string, budget: Budget): string => new TimedText(text, budget) as unknown as string;

/**
 * Compiles a pattern of RE2 (https://github.com/google/re2/wiki/Syntax): no lookaround and no back-references.
 * @param flags of `i`, `m` and `s`
 * @throws Error that says what is wrong with the pattern
 */
export function compilePattern(source: string, flags = ''): Pattern {
  const size = patternSize(source);
  if (size > MAX_SIZE)
    throw new PatternSizeError(
      `the pattern is too large: with its repetitions written out it has ${size.toLocaleString('en-US')} parts, of ${MAX_SIZE.toLocaleString('en-US')} at most`,
    );
  const bits =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0);
  const compiled = RE2JS.compile(source, bits);
  return {
    test: (text, budget) => compiled.test(timed(text, budget)),
    find(text, budgetMs) {
      const budget = budgetOf(budgetMs);
      const matches: Match[] = [];
      for (let from = 0; from === 0 || from < text.length; from += PIECE) {
        const piece = text.length <= PIECE ? text : text.slice(from, from + PIECE + OVERLAP);
        findIn(compiled, timed(piece, budget), from, matches);
        if (matches.length >= MAX_MATCHES) break;
      }
      return matches;
    },
  };
}

/** Adds the matches of a piece. Whether there is one at all is known in a tenth of the time. */
function findIn(compiled: RE2JS, piece: string, from: number, matches: Match[]): void {
  if (!compiled.test(piece)) return;
  const matcher = compiled.matcher(piece);
  while (matches.length < MAX_MATCHES && matcher.find()) {
    const [start, end] = [from + matcher.start(), from + matcher.end()];
    if (end > start && start >= (matches.at(-1)?.end ?? 0)) {
      matches.push({ type: 'pattern', start, end, confidence: 1 });
    }
  }
}
