import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useEffect, useState } from 'react';
import type { Me } from '../../../core/auth/contract.ts';
import type { getViewsEndpoint } from '../../../features/events/contract.ts';
import { Icon } from '../../ui/icons.tsx';
import { useApi } from '../api.ts';
import { COST_PAGES } from '../cost-tabs.tsx';
import { endpointOf } from '../endpoint.ts';
import { useNavigation } from '../frame/use-navigation.ts';
import { useOpenProject } from '../frame/use-open-project.ts';
import { pagePath, searchFrom } from '../project-link.tsx';
import { useProjectId, useSetSearch } from '../scope/scope.ts';
import type { EventsSearch, PageName } from '../scope/search.ts';
import { DEFAULT_PRESET, PRESETS } from '../scope/time-range.ts';

const viewsApi = endpointOf<typeof getViewsEndpoint>('GET /v1/events/views');

/**
 * Everything that can be reached by typing: pages, time ranges, projects, ids.
 * @param asked how often it was asked for: it opens each time
 */
export function CommandPalette({ me, asked }: { me: Me; asked: number }): JSX.Element {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const setSearch = useSetSearch();
  const { groups, settings } = useNavigation();
  const openProject = useOpenProject();
  const { setColorScheme } = useMantineColorScheme();
  const [query, setQuery] = useState('');
  const views = useApi(viewsApi, { query: { projectId } }).data?.views ?? [];
  useEffect(() => {
    if (asked > 0) spotlight.open();
  }, [asked]);
  const go =
    (page: PageName, { params, search }: { params?: Record<string, string>; search?: EventsSearch } = {}) =>
    () =>
      void navigate({
        to: pagePath(projectId, page, params),
        search: (before) => searchFrom(before, search),
      });
  const text = query.trim();
  // An id comes first, a word last: it is more likely a page.
  const looksLikeId = /^[0-9a-f-]{12,}$/i.test(text);
  const found: SpotlightActionGroupData[] =
    text.length < 4
      ? []
      : [
          {
            group: 'Look up',
            actions: [
              {
                id: 'trace',
                label: `Trace ${text}`,
                keywords: text,
                onClick: go('traces/$traceId', { params: { traceId: text } }),
              },
              {
                id: 'user',
                label: `User ${text}`,
                keywords: text,
                onClick: go('users/$userId', { params: { userId: text } }),
              },
              {
                id: 'session',
                label: `Session ${text}`,
                keywords: text,
                onClick: go('sessions/$sessionId', { params: { sessionId: text } }),
              },
            ],
          },
        ];
  const actions: SpotlightActionGroupData[] = [
    ...(looksLikeId ? found : []),
    {
      group: 'Pages',
      actions: [...groups, ...settings]
        .flatMap(({ entries }) => entries)
        // The other pages about money are tabs; what-if has an entry of its own.
        .filter(({ page }) => page !== 'costs/what-if')
        .flatMap((entry) =>
          entry.page === 'costs' ? COST_PAGES.map((one) => ({ ...entry, ...one })) : entry,
        )
        .map(({ page, label, icon }) => ({
          id: `page ${page}`,
          label,
          leftSection: <Icon name={icon} />,
          onClick: go(page),
        })),
    },
    ...(views.length === 0
      ? []
      : [
          {
            group: 'Views',
            actions: views.map(({ id, name, search }) => ({
              id: `view ${id}`,
              label: name,
              leftSection: <Icon name="views" />,
              onClick: go('events', { search: { environment: undefined, ...search } }),
            })),
          },
        ]),
    {
      group: 'Time range',
      actions: Object.entries(PRESETS).map(([name, { label }]) => ({
        id: `range ${name}`,
        label,
        leftSection: <Icon name="calendar" />,
        onClick: () =>
          setSearch({ range: name === DEFAULT_PRESET ? undefined : name, start: undefined, end: undefined }),
      })),
    },
    {
      group: 'Projects',
      actions: me.memberships.flatMap(({ organizationName, projects }) =>
        projects.map(({ id, name }) => ({
          id: `project ${id}`,
          label: name,
          description: organizationName,
          onClick: () => openProject(id),
        })),
      ),
    },
    {
      group: 'Colours',
      actions: (['light', 'dark', 'auto'] as const).map((scheme) => ({
        id: `colours ${scheme}`,
        label: { light: 'Light colours', dark: 'Dark colours', auto: 'System colours' }[scheme],
        onClick: () => setColorScheme(scheme),
      })),
    },
    ...(looksLikeId ? [] : found),
  ];
  return (
    <Spotlight
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      nothingFound="Nothing found"
      highlightQuery
      limit={12}
      scrollable
      maxHeight={420}
      shortcut={null}
      searchProps={{
        placeholder: 'Page, project, view, time range, trace, user or session',
        'aria-label': 'Search',
        leftSection: <Icon name="search" />,
      }}
    />
  );
}
