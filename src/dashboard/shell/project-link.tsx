import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useProjectId } from './scope/scope.ts';
import { kept, type PageName, type SearchOf, type WindowSearch } from './scope/search.ts';

/** The part of a page's path that names one thing, such as `traceId`; nothing of a page without one. */
export type PageParams<P extends PageName> = P extends `${string}/$${infer R}`
  ? { readonly params: { readonly [X in R extends `${infer K}/${string}` ? K : R]: string } }
  : { readonly params?: undefined };

export type ProjectLinkProps<P extends PageName> = PageParams<P> & {
  readonly page: P;
  /** What the target's address says, on top of the window and environment that go along. */
  readonly search?: SearchOf<P> | undefined;
  readonly className?: string | undefined;
  readonly title?: string | undefined;
  readonly children: ReactNode;
};

/** A link to another page of this project which keeps the time range and the environment. */
export function ProjectLink<P extends PageName>(props: ProjectLinkProps<P>): JSX.Element {
  const { page, params, search, children, ...rest } = props;
  const projectId = useProjectId();
  return (
    <Link to={pagePath(projectId, page, params)} search={(before) => searchFrom(before, search)} {...rest}>
      {children}
    </Link>
  );
}

/** What another page's address says: the window that this one's says, and on top of it what is asked for. */
export const searchFrom = <S extends WindowSearch>(before: WindowSearch, search?: S): WindowSearch => ({
  ...kept(before),
  ...search,
});

/** The path of a page of a project, such as `/projects/1/traces/abc`. */
export const pagePath = (
  projectId: string,
  page: PageName,
  params: Readonly<Record<string, string>> = {},
): string =>
  `/projects/${encodeURIComponent(projectId)}/${page.replace(/\$(\w+)/, (_, name: string) => encodeURIComponent(params[name] ?? ''))}`;
