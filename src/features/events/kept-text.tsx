import { arranged } from '../../dashboard/shell/lists/layout.ts';
import { EVENT_COLUMNS } from './event-columns.tsx';
import { FILTER_NAMES, FILTERS, filterText, useKeys } from './filter-bar.tsx';

type Props = { readonly projectId: string; readonly search: Readonly<Record<string, string>> };

/** What a view saves, in words; with names of keys once they are loaded. */
export function EventViewText({ projectId, search }: Props): string {
  const { filter, environment, columns, sort, order, ...filters } = search;
  const keys = useKeys({ projectId }, filters.keyId !== undefined);
  const named = FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    const key = name === 'keyId' ? keys.find(({ id }) => id === value)?.name : undefined;
    return [`${FILTERS[name]}: ${key ?? filterText(name, value)}`];
  });
  const ids = columns?.split(',') ?? [];
  const labels = arranged(EVENT_COLUMNS, { shown: ids }).map(({ label }) => label);
  return [
    ...(environment === undefined ? [] : [`Environment: ${environment}`]),
    ...named,
    ...(filter === undefined ? [] : [`Filter: ${filter}`]),
    ...(sort === undefined && order === undefined
      ? []
      : [`Order: ${sort ?? 'time'}${order === 'asc' ? ' ascending' : ''}`]),
    ...((named[0] ?? environment ?? filter) === undefined ? ['All calls'] : []),
    ...(labels.length === 0 ? [] : [`Columns: ${labels.join(', ')}`]),
  ].join(' · ');
}
