/** Where one of several literals stands in a text. */
export type LiteralSearch = {
  /** Calls `visit` for every place of every literal, in the order of their ends. */
  each(text: string, visit: (literal: number, start: number) => void): void;
  /** Which literals are in a text, by their numbers. */
  present(text: string): Uint8Array;
};

/** Characters of the alphabet: all of ASCII; the first one stands for every other character, which ends a literal. */
const WIDTH = 128;

/**
 * Searches many literals of ASCII in one pass, whatever their case (Aho and Corasick, 1975): many take no longer than one,
 * so that a pattern is only tried where one of its literals is.
 */
export function createLiteralSearch(literals: readonly string[]): LiteralSearch {
  const { next, ends } = automatonOf(literals.map((literal) => literal.toLowerCase()));
  const lengths = literals.map(({ length }) => length);
  const each: LiteralSearch['each'] = (text, visit) => {
    let row = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      // An odd entry leads to a state in which a literal ends.
      const entry = next[row + (code < WIDTH ? code : 0)] as number;
      row = entry & ~1;
      if (entry === row) continue;
      for (const literal of ends[row / WIDTH] ?? []) visit(literal, i + 1 - (lengths[literal] ?? 0));
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

type Automaton = { readonly next: Uint32Array; readonly ends: readonly (readonly number[])[] };

/** The states as one table of rows: to which row each character leads from each, and which literals end there. */
function automatonOf(literals: readonly string[]): Automaton {
  const next = new Uint32Array(literals.reduce((sum, { length }) => sum + length, 1) * WIDTH);
  const ends: number[][] = [[]];
  for (const [literal, text] of literals.entries()) {
    let row = 0;
    for (let i = 0; i < text.length; i++) {
      const place = row + text.charCodeAt(i);
      if (next[place] === 0) next[place] = (ends.push([]) - 1) * WIDTH;
      row = next[place] ?? 0;
    }
    ends[row / WIDTH]?.push(literal);
  }
  complete(next, ends);
  const table = next.slice(0, ends.length * WIDTH);
  for (let row = 0; row < table.length; row += WIDTH) table.copyWithin(row + 65, row + 97, row + 123);
  return { next: table.map((row) => row + ((ends[row / WIDTH]?.length ?? 0) > 0 ? 1 : 0)), ends };
}

/** Adds where a character leads that continues no literal: to the longest beginning of one that still fits. */
function complete(next: Uint32Array, ends: number[][]): void {
  const fallback = new Uint32Array(ends.length);
  const queue = [0];
  for (const row of queue) {
    for (let code = 0; code < WIDTH; code++) {
      const target = next[row + code] ?? 0;
      const other = row === 0 ? 0 : (next[(fallback[row / WIDTH] ?? 0) + code] ?? 0);
      if (target === 0) {
        next[row + code] = other;
        continue;
      }
      fallback[target / WIDTH] = other;
      ends[target / WIDTH]?.push(...(ends[other / WIDTH] ?? []));
      queue.push(target);
    }
  }
}
