import { Link, useRouterState } from '@tanstack/react-router';
import { type JSX, useEffect, useRef } from 'react';
import css from './page-tabs.module.css';
import { pagePath, searchFrom } from './project-link.tsx';
import { useProjectId } from './scope/scope.ts';
import type { PageName } from './scope/search.ts';

type Props = {
  /** Name of the group, for screen readers. */
  readonly label: string;
  readonly pages: readonly { readonly page: PageName; readonly label: string }[];
};

/** Pages that share an entry of the navigation, as tabs: the first thing on each of them. */
export function PageTabs({ label, pages }: Props): JSX.Element {
  const projectId = useProjectId();
  const list = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // On a narrow screen the tab of the open page can be beyond the edge.
  useEffect(() => {
    if (path !== '')
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  return (
    <nav ref={list} aria-label={label} className={css.tabs}>
      {pages.map(({ page, label: text }) => (
        <Link
          key={page}
          to={pagePath(projectId, page)}
          search={(before) => searchFrom(before)}
          className={css.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
