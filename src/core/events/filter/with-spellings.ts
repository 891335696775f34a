import { textTest } from '../../../lib/filter/values.ts';
import { SPELLED, spellingsOf } from '../../pricing/index.ts';
import type { EventFilters } from '../selection.ts';
import type { Condition } from './contract.ts';

/**
 * Filters whose providers are the names that events have: figures have a provider under one name, whichever client sent
 * its calls, and a filter by that name means all of them. Any other name means itself alone.
 */
export function withSpellings<F extends EventFilters>(filters: F): F {
  const { provider, where } = filters;
  const given = provider === undefined ? [] : spellingsOf(provider);
  const isSpelled = given.length > 1;
  if (!isSpelled && where?.some(isSpelledCondition) !== true) return filters;
  const own: Condition[] = isSpelled ? [{ field: 'provider', not: false, values: given }] : [];
  return {
    ...filters,
    provider: isSpelled ? undefined : provider,
    where: [...(where ?? []).map(spelled), ...own],
  };
}

const isSpelledCondition = ({ field, values, globs }: Condition): boolean =>
  field === 'provider' && (values ?? globs) !== undefined;

function spelled<C extends Condition>(condition: C): C {
  if (!isSpelledCondition(condition)) return condition;
  const { values = [], globs } = condition;
  const named = globs === undefined ? [] : SPELLED.filter(textTest({ globs }));
  return { ...condition, values: [...new Set([...values, ...named].flatMap(spellingsOf))] };
}
