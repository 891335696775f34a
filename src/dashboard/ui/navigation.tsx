import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useProjectId } from '../scope.ts';
import { kept, type Search } from '../search.ts';
import { Icon, type IconName } from './icons.tsx';
import { projectPath } from './project-link.tsx';

type Entry = { readonly page: string; readonly label: string; readonly icon: IconName };

/** The pages of a project, in groups. */
export const NAVIGATION: readonly (readonly Entry[])[] = [
  [
    { page: 'overview', label: 'Overview', icon: 'overview' },
    { page: 'costs', label: 'Costs', icon: 'costs' },
    { page: 'performance', label: 'Performance', icon: 'performance' },
    { page: 'errors', label: 'Errors', icon: 'errors' },
  ],
  [{ page: 'events', label: 'Events', icon: 'events' }],
];

/** The list of pages; `onChoose` closes what it is shown in. */
export function Navigation({ onChoose }: { onChoose?: () => void }): JSX.Element {
  const projectId = useProjectId();
  return (
    <nav aria-label="Pages" className="nav">
      {NAVIGATION.map((group) => (
        <ul key={group[0]?.page}>
          {group.map(({ page, label, icon }) => (
            <li key={page}>
              <Link
                to={projectPath(projectId, page)}
                search={((before: Search) => kept(before)) as never}
                className="nav-link"
                activeProps={{ 'aria-current': 'page' }}
                activeOptions={{ includeSearch: false }}
                {...(onChoose === undefined ? {} : { onClick: onChoose })}
              >
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}
