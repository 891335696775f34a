import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Me } from '../../../core/auth/contract.ts';
import { DEFAULT_PRESET, PRESETS } from '../../../lib/ranges/presets.ts';
import type { IconName } from '../../ui/icon-paths.ts';
import { COST_PAGES } from '../cost-tabs.tsx';
import { useNavigation } from '../frame/use-navigation.ts';
import { useOpenProject } from '../frame/use-open-project.ts';
import { useMember } from '../member.ts';
import { useSetSearch } from '../scope/scope.ts';
import type { Target } from './targets.ts';

/** An entry of the palette that is there without a search. `also`: other words that find it. */
export type Command = {
  readonly id: string;
  readonly group: 'Pages' | 'Actions' | 'Time range' | 'Projects';
  readonly label: string;
  readonly icon: IconName;
  readonly hint?: string;
  readonly also?: string;
  readonly run: () => void;
};

type ListedAction = Omit<Command, 'group' | 'run'> & {
  readonly target: Target;
  readonly least?: 'member' | 'admin';
};

/** What people do on pages, by the words they may have for it. */
const PAGE_ACTIONS: readonly ListedAction[] = [
  {
    id: 'send',
    label: 'Send events',
    icon: 'start',
    also: 'ingest sdk snippet connect',
    target: { page: 'start' },
  },
  {
    id: 'key',
    label: 'Create API key',
    icon: 'key',
    also: 'new token',
    target: { page: 'keys' },
    least: 'admin',
  },
  {
    id: 'invite',
    label: 'Invite a member',
    icon: 'users',
    also: 'add person people team',
    target: { page: 'members' },
    least: 'admin',
  },
  {
    id: 'token',
    label: 'Create access token',
    icon: 'key',
    also: 'new api read',
    target: { page: 'access-tokens' },
    least: 'admin',
  },
  {
    id: 'budget',
    label: 'Create budget',
    icon: 'budgets',
    also: 'new limit',
    target: { page: 'budgets' },
    least: 'member',
  },
  {
    id: 'price',
    label: 'Set a custom price',
    icon: 'costs',
    also: 'model rate',
    target: { page: 'prices' },
    least: 'admin',
  },
  {
    id: 'channel',
    label: 'Add a notification channel',
    icon: 'live',
    also: 'slack webhook mail pagerduty',
    target: { page: 'channels' },
    least: 'admin',
  },
  {
    id: 'failed',
    label: 'Show failed calls',
    icon: 'errors',
    also: 'errors',
    target: { page: 'events', search: { filter: 'status:failed' } },
  },
  {
    id: 'unpriced',
    label: 'Show calls without a price',
    icon: 'costs',
    also: 'unpriced',
    target: { page: 'events', search: { costStatus: 'unpriced' } },
  },
  {
    id: 'dearest',
    label: 'Show the most expensive traces',
    icon: 'traces',
    also: 'cost dearest',
    target: { page: 'traces', search: { sort: 'cost' } },
  },
];

const SCHEMES = [
  { scheme: 'light', label: 'Switch to light theme', icon: 'sun' },
  { scheme: 'dark', label: 'Switch to dark theme', icon: 'moon' },
  { scheme: 'auto', label: 'Use the theme of the system', icon: 'auto' },
] as const;

/** Pages, actions, time ranges and projects. @param open opens a page of this project */
export function useCommands(me: Me, open: (target: Target) => void): Command[] {
  const { groups, settings } = useNavigation();
  const { may } = useMember();
  const openProject = useOpenProject();
  const setSearch = useSetSearch();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const pages = [...groups, ...settings]
    .flatMap(({ title, entries }) => entries.map((entry) => ({ ...entry, title })))
    // The other pages about money are tabs.
    .flatMap((entry) => (entry.page === 'costs' ? COST_PAGES.map((one) => ({ ...entry, ...one })) : entry));
  return [
    ...pages.map(
      ({ page, label, icon, title }): Command => ({
        id: `page ${page}`,
        group: 'Pages',
        label,
        icon,
        hint: title,
        run: () => open({ page }),
      }),
    ),
    ...PAGE_ACTIONS.filter(({ least }) => least === undefined || may(least)).map(
      ({ target, least: _, ...action }): Command => ({
        ...action,
        group: 'Actions',
        run: () => open(target),
      }),
    ),
    ...SCHEMES.map(
      ({ scheme, label, icon }): Command => ({
        id: `theme ${scheme}`,
        group: 'Actions',
        label,
        icon,
        also: 'colours colors dark light mode',
        run: () => setColorScheme(scheme),
      }),
    ),
    {
      id: 'account',
      group: 'Actions',
      label: 'Open account settings',
      icon: 'users',
      also: 'password profile security two-factor sessions',
      run: () => void navigate({ to: '/account' }),
    },
    ...Object.entries(PRESETS).map(
      ([name, { label }]): Command => ({
        id: `range ${name}`,
        group: 'Time range',
        label,
        icon: 'calendar',
        run: () =>
          setSearch({ range: name === DEFAULT_PRESET ? undefined : name, start: undefined, end: undefined }),
      }),
    ),
    ...me.memberships.flatMap(({ organizationName, projects }) =>
      projects.map(
        ({ id, name }): Command => ({
          id: `project ${id}`,
          group: 'Projects',
          label: name,
          icon: 'right',
          hint: organizationName,
          also: `switch project ${organizationName}`,
          run: () => openProject(id),
        }),
      ),
    ),
  ];
}
