import type { Condition } from '../../../core/events/filter/contract.ts';
import { parseFilter } from '../../../core/events/filter/contract.ts';
import type { EventFilters } from '../../../core/events/index.ts';
import type { TileDimension } from '../tiles/contract.ts';

/** Names that the filter language has for dimensions of another name. */
const FIELDS: Partial<Record<TileDimension, Condition['field']>> = {
  errorCode: 'error',
  promptName: 'prompt',
  userId: 'user',
  keyId: 'key',
};

const fieldOf = (dimension: TileDimension): Condition['field'] =>
  dimension.startsWith('tag:')
    ? `tag.${dimension.slice('tag:'.length)}`
    : (FIELDS[dimension] ?? (dimension as Condition['field']));

/** The filters of a page and of one of its tiles: all hold. */
export const withFilter = (filters: EventFilters, text: string): EventFilters =>
  withConditions(filters, parseFilter(text));

/** Filters that also hold one dimension to some of its values. */
export const withValues = (
  filters: EventFilters,
  dimension: TileDimension,
  values: readonly string[],
): EventFilters => withConditions(filters, [{ field: fieldOf(dimension), not: false, values }]);

const withConditions = (filters: EventFilters, more: readonly Condition[]): EventFilters =>
  more.length === 0 ? filters : { ...filters, where: [...(filters.where ?? []), ...more] };
