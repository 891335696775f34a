import { AppError } from '../../errors.ts';
import { SEARCH_KINDS, type SearchKind, type SearchReply, type SearchResult } from './contract.ts';
import { type Asked, SOURCES } from './sources.ts';

/** Time after which a search answers with what was found. */
const DEADLINE_MS = 2_000;

/** Searches all kinds at once. A kind that fails or is late does not hold up the others. */
export async function findAll(asked: Asked): Promise<SearchReply> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), DEADLINE_MS);
  const find = async (kind: SearchKind): Promise<readonly SearchResult[] | null> => {
    try {
      return await Promise.race([SOURCES[kind](asked), late.promise]);
    } catch (error) {
      // Such as a busy store, or a part of it that is damaged.
      if (error instanceof AppError) return null;
      throw error;
    }
  };
  try {
    const found = await Promise.all(SEARCH_KINDS.map(find));
    return {
      results: found.flatMap((results) => results ?? []),
      incomplete: SEARCH_KINDS.filter((_, place) => found[place] === null),
    };
  } finally {
    clearTimeout(timer);
  }
}
