import { RE2JS } from 're2js';
import { MAX_MATCHES, type Match } from '../match.ts';

/** Texts beyond this are searched in pieces, which overlap. */
const PIECE = 65_536;
const OVERLAP = 1_024;

/** A pattern of RE2 cannot take more than linear time, whatever it is and whatever it is used on. */
export type Pattern = {
  /** @throws TimeLimitError after `budgetMs` */
  find(text: string, budgetMs: number): Match[];
  /** Whether the pattern is somewhere in a text. */
  test(text: string): boolean;
};

/** A check took longer than it may. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * Compiles a pattern of RE2 (https://github.com/google/re2/wiki/Syntax): no lookaround and no back-references.
 * @param flags of `i`, `m` and `s`
 * @throws Error that says what is wrong with the pattern
 */
export function compilePattern(source: string, flags = ''): Pattern {
  const bits =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0);
  const compiled = RE2JS.compile(source, bits);
  return {
    test: (text) => compiled.test(text),
    find(text, budgetMs) {
      const started = performance.now();
      const matches: Match[] = [];
      for (let from = 0; from === 0 || from < text.length; from += PIECE) {
        if (from > 0 && performance.now() - started > budgetMs) {
          throw new TimeLimitError(`the pattern took longer than ${budgetMs} ms`);
        }
        findIn(compiled, text, from, matches);
        if (matches.length >= MAX_MATCHES) break;
      }
      return matches;
    },
  };
}

/** Adds the matches of a piece. Whether there is one at all is known in a tenth of the time. */
function findIn(compiled: RE2JS, text: string, from: number, matches: Match[]): void {
  const piece = text.length <= PIECE ? text : text.slice(from, from + PIECE + OVERLAP);
  if (!compiled.test(piece)) return;
  const matcher = compiled.matcher(piece);
  while (matches.length < MAX_MATCHES && matcher.find()) {
    const [start, end] = [from + matcher.start(), from + matcher.end()];
    if (end > start && start >= (matches.at(-1)?.end ?? 0)) {
      matches.push({ type: 'pattern', start, end, confidence: 1 });
    }
  }
}
