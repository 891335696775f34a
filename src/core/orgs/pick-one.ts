import { conflict, notFound } from '../../errors.ts';
import { nearest } from '../../lib/nearest.ts';

/** Something that the operator can name by id or by name. */
export type Named = { readonly id: string; readonly name: string };

/**
 * Picks the candidate with the id `given`, otherwise the only one with that name, otherwise the only one whose id begins
 * so.
 * @param kind the noun for messages, such as `project`
 * @throws AppError 404 with a suggestion if nothing matches; 409 with the candidates if several do
 */
export function pickOne<T extends Named>(kind: string, given: string, candidates: readonly T[]): T {
  const byId = candidates.find((candidate) => candidate.id === given);
  if (byId !== undefined) return byId;
  const named = candidates.filter((candidate) => candidate.name === given);
  const [first, ...others] = named.length > 0 ? named : byStart(given, candidates);
  if (first === undefined) {
    const guess = nearest(
      given,
      candidates.map(({ name }) => name),
    );
    throw notFound(`There is no ${kind} ${given}${guess === undefined ? '' : `; did you mean ${guess}?`}`);
  }
  if (others.length === 0) return first;
  const ids = [first, ...others].map((candidate) => candidate.id).join(', ');
  throw conflict(`${given} matches more than one ${kind}: ${ids}. Use the id`);
}

/** Candidates whose id begins with a text that names the kind and some digits. */
const byStart = <T extends Named>(given: string, candidates: readonly T[]): T[] =>
  /^[a-z]+_[0-9a-f]{4,}$/.test(given) ? candidates.filter(({ id }) => id.startsWith(given)) : [];
