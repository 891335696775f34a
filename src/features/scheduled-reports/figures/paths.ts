import { termOf } from '../../../lib/filter-terms.ts';

/** What a page shows. `projectId` null: several projects, which no page shows together. */
export type PageOf = {
  readonly projectId: string | null;
  readonly environment: string | null;
  /** ISO 8601 UTC, inclusive. */
  readonly start: string;
  readonly end: string;
};

/** Fields of the filter language by dimension; `tag:NAME` is `tag.NAME`. */
const FIELDS: Readonly<Record<string, string>> = { userId: 'user' };

/** The page of costs of a project with the window of a report. */
export function costsPath(
  { projectId, environment, start, end }: PageOf & { readonly projectId: string },
  filter = '',
): string {
  const search = new URLSearchParams({ start, end });
  if (environment !== null) search.set('environment', environment);
  if (filter !== '') search.set('filter', filter);
  return `/projects/${encodeURIComponent(projectId)}/costs?${search}`;
}

/** The page of costs of one group of a dimension; null for calls without a value and for several projects. */
export const pathsOf =
  ({ projectId, ...page }: PageOf) =>
  (by: string, value: string | null): string | null => {
    if (projectId === null || value === null) return null;
    const field = by.startsWith('tag:') ? `tag.${by.slice('tag:'.length)}` : (FIELDS[by] ?? by);
    return costsPath({ ...page, projectId }, termOf(field, value));
  };

/** The page on which a price can be set for a model. */
export function pricesPath(
  projectId: string | null,
  { model, provider }: { readonly [name: string]: string | null },
): string | null {
  if (projectId === null || model == null) return null;
  const search = new URLSearchParams({ model, ...(provider == null ? {} : { provider }) });
  return `/projects/${encodeURIComponent(projectId)}/prices?${search}`;
}
