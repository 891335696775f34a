import type { JSX } from 'react';

/** What a view keeps of an address. */
export type Kept = Readonly<Record<string, string>>;

type Props = { readonly projectId: string; readonly search: Kept };

/** Says what a view keeps, in the words of its page. */
export type ShownKept = (props: Props) => JSX.Element | string;

const NAMES: Readonly<Record<string, string>> = {
  environment: 'Environment',
  filter: 'Filter',
  q: 'Search',
  by: 'By',
  across: 'Across',
  cell: 'Cells',
  spread: 'Distribution',
  metric: 'Figure',
  sort: 'Order',
  userId: 'User',
  sessionId: 'Session',
  model: 'Model',
  status: 'Status',
};

/** What a view keeps, where its page has no better words for it. */
export function KeptText({ search }: Props): string {
  const { order, sort, ...rest } = search;
  const parts = Object.entries({
    ...rest,
    ...(sort === undefined && order === undefined
      ? {}
      : { sort: `${sort ?? 'time'}${order === 'asc' ? ' ascending' : ''}` }),
  });
  if (parts.length === 0) return 'Everything';
  return parts.map(([name, value]) => `${NAMES[name] ?? name}: ${value}`).join(' · ');
}
