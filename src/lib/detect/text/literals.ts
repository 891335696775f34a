/** Where one of several literals stands in a text. */
export type LiteralSearch = {
  /** Calls `visit` for every place of every literal, in the order of their ends. */
  each(text: string, visit: (literal: number, start: number) => void): void;
  /** Which literals are in a text, by their numbers. */
  present(text: string): Uint8Array;
};

/** Codes of characters that literals may have: all of ASCII. Every other character ends a literal. */
const CODES = 128;

/**
 * Searches many literals of ASCII in one pass (Aho and Corasick, 1975): many take no longer than one, so that a pattern
 * is only tried where one of its literals is.
 * @param isExact whether case matters; by default it does not
 */
export function createLiteralSearch(literals: readonly string[], isExact = false): LiteralSearch {
  const { next, ends, classes, width } = automatonOf(literals, isExact);
  const lengths = literals.map(({ length }) => length);
  const each: LiteralSearch['each'] = (text, visit) => {
    let row = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      // An odd entry leads to a state in which a literal ends.
      const entry = next[row + (code < CODES ? (classes[code] as number) : 0)] as number;
      row = entry & ~1;
      if (entry === row) continue;
      const own = ends[row / width] ?? [];
      for (let j = 0; j < own.length; j++) {
        const literal = own[j] as number;
        visit(literal, i + 1 - (lengths[literal] as number));
      }
    }
  };
  return {
    each,
    present(text) {
      const isPresent = new Uint8Array(literals.length);
      each(text, (literal) => {
        isPresent[literal] = 1;
      });
      return isPresent;
    },
  };
}

/**
 * The states as one table of rows of `width`: to which row each class of characters leads from each, and which literals
 * end there. Only characters of literals have a class of their own, so that the table stays in the processor's cache.
 */
type Automaton = {
  readonly next: Uint32Array;
  readonly ends: readonly (readonly number[])[];
  readonly classes: Uint8Array;
  readonly width: number;
};

function automatonOf(literals: readonly string[], isExact: boolean): Automaton {
  const codesOf = (text: string): number[] =>
    [...(isExact ? text : text.toLowerCase())].map((character) => character.charCodeAt(0));
  const { classes, width } = classesOf(literals.flatMap(codesOf), isExact);
  const next = new Uint32Array(literals.reduce((sum, { length }) => sum + length, 1) * width);
  const ends: number[][] = [[]];
  for (const [literal, text] of literals.entries()) {
    let row = 0;
    for (const code of codesOf(text)) {
      const place = row + (classes[code] ?? 0);
      if (next[place] === 0) next[place] = (ends.push([]) - 1) * width;
      row = next[place] ?? 0;
    }
    ends[row / width]?.push(literal);
  }
  complete(next, ends, width);
  const table = next.slice(0, ends.length * width);
  return {
    next: table.map((row) => row + ((ends[row / width]?.length ?? 0) > 0 ? 1 : 0)),
    ends,
    classes,
    width,
  };
}

/** A number for each character of the literals, 0 for all others. The width is even, as the number of a row has to be. */
function classesOf(codes: readonly number[], isExact: boolean): { classes: Uint8Array; width: number } {
  const classes = new Uint8Array(CODES);
  let count = 1;
  for (const code of codes) if (classes[code] === 0) classes[code] = count++;
  if (!isExact) classes.copyWithin(65, 97, 123);
  return { classes, width: count + (count % 2) };
}

/** Adds where a character leads that continues no literal: to the longest beginning of one that still fits. */
function complete(next: Uint32Array, ends: number[][], width: number): void {
  const fallback = new Uint32Array(ends.length);
  const queue = [0];
  for (const row of queue) {
    for (let kind = 1; kind < width; kind++) {
      const target = next[row + kind] ?? 0;
      const other = row === 0 ? 0 : (next[(fallback[row / width] ?? 0) + kind] ?? 0);
      if (target === 0) {
        next[row + kind] = other;
        continue;
      }
      fallback[target / width] = other;
      ends[target / width]?.push(...(ends[other / width] ?? []));
      queue.push(target);
    }
  }
}
