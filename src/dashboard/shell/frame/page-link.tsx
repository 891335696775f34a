import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { pagePath, searchFrom } from '../project-link.tsx';
import { useProjectId } from '../scope/scope.ts';
import type { Entry } from './navigation-entries.ts';

type Props = Pick<Entry, 'page'> & {
  /** Whether the open page is this one, or belongs to it. */
  readonly current: boolean;
  readonly onChoose?: (() => void) | undefined;
  readonly className: string | undefined;
  readonly children: ReactNode;
};

/** A link of a navigation: it takes the window along and says when its page is open. */
export function PageLink({ page, current, onChoose, className, children }: Props): JSX.Element {
  const projectId = useProjectId();
  return (
    <Link
      to={pagePath(projectId, page)}
      search={(before) => searchFrom(before)}
      // Exact: which link is the current one says `current`, not the beginning of the path.
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={current ? 'page' : undefined}
      className={className}
      {...(onChoose === undefined ? {} : { onClick: onChoose })}
    >
      {children}
    </Link>
  );
}
