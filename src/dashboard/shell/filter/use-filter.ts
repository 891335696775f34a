import { FilterSyntaxError, formatTerm, parseTerms, type Term } from '../../../lib/filter-terms.ts';
import { type Scope, useSetSearch } from '../scope/scope.ts';

/** The filter of a page's address, part by part, and ways to change it. */
export type Filter = {
  /** Its parts as text; the whole text is one part if it cannot be read. */
  readonly parts: readonly string[];
  add(text: string): void;
  remove(part: number): void;
  clear(): void;
};

export function useFilter({ search }: Pick<Scope, 'search'>): Filter {
  const setSearch = useSetSearch();
  const parts = partsOf(search.filter ?? '');
  const set = (next: readonly string[]): void =>
    setSearch({ filter: next.length === 0 ? undefined : next.join(' ') });
  return {
    parts,
    add: (text) => set([...new Set([...parts, ...partsOf(text)])]),
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

/** What is wrong with a text that cannot be read; null if nothing is. */
export function syntaxError(text: string): string | null {
  try {
    parseTerms(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
