import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useMember } from '../member.ts';
import { projectPath } from '../project-link.tsx';
import { useProjectId } from '../scope/scope.ts';
import { kept, type Search } from '../scope/search.ts';
import css from './navigation.module.css';

type Entry = {
  readonly page: string;
  readonly label: string;
  readonly icon: IconName;
  readonly least?: 'admin';
};
type Group = { readonly title?: string; readonly entries: readonly Entry[] };

/** The pages of a project, in groups. `least`: the role without which a page has nothing to show. */
const NAVIGATION: readonly Group[] = [
  {
    entries: [
      { page: 'overview', label: 'Overview', icon: 'overview' },
      { page: 'costs', label: 'Costs', icon: 'costs' },
      { page: 'budgets', label: 'Budgets', icon: 'budgets' },
      { page: 'performance', label: 'Performance', icon: 'performance' },
      { page: 'errors', label: 'Errors', icon: 'errors' },
    ],
  },
  {
    entries: [
      { page: 'events', label: 'Events', icon: 'events' },
      { page: 'traces', label: 'Traces', icon: 'traces' },
      { page: 'sessions', label: 'Sessions', icon: 'sessions' },
      { page: 'users', label: 'Users', icon: 'users' },
    ],
  },
  {
    entries: [
      { page: 'start', label: 'Send events', icon: 'start' },
      { page: 'quarantine', label: 'Quarantine', icon: 'quarantine' },
      { page: 'inspector', label: 'OTLP inspector', icon: 'inspect' },
    ],
  },
  {
    title: 'Settings',
    entries: [
      { page: 'project', label: 'Project', icon: 'settings' },
      { page: 'keys', label: 'API keys', icon: 'key' },
      { page: 'prices', label: 'Prices', icon: 'costs' },
      { page: 'members', label: 'Members', icon: 'users' },
      { page: 'usage', label: 'Usage', icon: 'usage' },
      { page: 'audit', label: 'Audit log', icon: 'log', least: 'admin' },
    ],
  },
];

/** Those that this person's role has something to see on. */
export function useNavigation(): Group[] {
  const { may } = useMember();
  return NAVIGATION.map((group) => ({
    ...group,
    entries: group.entries.filter(({ least }) => least === undefined || may(least)),
  }));
}

/** The list of pages; `onChoose` closes what it is shown in. */
export function Navigation({ onChoose }: { onChoose?: () => void }): JSX.Element {
  const projectId = useProjectId();
  return (
    <nav aria-label="Pages" className={css.nav}>
      {useNavigation().map(({ title, entries }) => (
        <ul key={entries[0]?.page}>
          {title !== undefined && (
            <li>
              <h3>{title}</h3>
            </li>
          )}
          {entries.map(({ page, label, icon }) => (
            <li key={page}>
              <Link
                to={projectPath(projectId, page)}
                search={((before: Search) => kept(before)) as never}
                className={css.navLink}
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
