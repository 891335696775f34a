import { FilterSyntaxError, formatTerm, parseTerms, type Term } from '../../../lib/filter-terms.ts';
import { type Scope, useSetSearch } from '../scope/scope.ts';

/** A filter part by part, and ways to change it. */
export type Filter = {
  /** Its parts as text; the whole text is one part if it cannot be read. */
  readonly parts: readonly string[];
  add(text: string): void;
  remove(part: number): void;
  clear(): void;
};

/** The filter of a page's address, of the calls that the page is about. */
export function useFilter({ search }: Pick<Scope, 'search'>): Filter {
  const setSearch = useSetSearch();
  return filterIn(search.filter, (filter) => setSearch({ filter }));
}

/** A filter that is kept as a text; undefined is none. */
export function filterIn(text: string | undefined, keep: (text: string | undefined) => void): Filter {
  const parts = partsOf(text ?? '');
  const set = (next: readonly string[]): void => keep(next.length === 0 ? undefined : next.join(' '));
  return {
    parts,
    add: (more) => set([...new Set([...parts, ...partsOf(more)])]),
    remove: (part) => set(parts.filter((_, place) => place !== part)),
    clear: () => set([]),
  };
}

/** The parts of a filter as text; the whole text is one part if it cannot be read. */
export const partsOf = (text: string): string[] =>
  termsOf(text)?.map(formatTerm) ?? (text.trim() === '' ? [] : [text.trim()]);

function termsOf(text: string): Term[] | null {
  try {
    return parseTerms(text);
  } catch (error) {
    if (error instanceof FilterSyntaxError) return null;
    throw error;
  }
}

/**
 * What is wrong with a text that cannot be read; null if nothing is.
 * @param parse reads it; without it, any field is one
 */
export function syntaxError(text: string, parse: (text: string) => unknown = parseTerms): string | null {
  try {
    parse(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
