import { Button, Menu } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { type Scope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import type { EventsSearch } from '../../dashboard/shell/scope/search.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import type { getViewsEndpoint, SavedView } from './contract.ts';
import { FILTER_NAMES } from './filter-bar.tsx';
import { ManageViews, SaveView } from './view-dialogs.tsx';

const viewsApi = endpointOf<typeof getViewsEndpoint>('GET /v1/events/views');

/** What a view keeps of an address. */
const KEPT = [...FILTER_NAMES, 'filter', 'environment', 'columns'] as const;

const keptOf = (search: EventsSearch): Record<string, string> =>
  Object.fromEntries(KEPT.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));

/** Whether two addresses keep the same, in whatever order. */
const isSame = (a: Record<string, string>, b: Record<string, string>): boolean =>
  KEPT.every((name) => a[name] === b[name]);

const NOTHING: EventsSearch = Object.fromEntries([...KEPT, 'event', 'at'].map((name) => [name, undefined]));

/** The views of this project: what is shown by its name, the way to the others, and to keep what is shown. */
export function ViewMenu({ scope }: { scope: Scope<'events'> }): JSX.Element {
  const setSearch = useSetSearch<'events'>();
  const { may } = useMember();
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const views = useApi(viewsApi, { query: { projectId: scope.projectId } }).data?.views ?? [];
  const current = keptOf(scope.search);
  const shown = views.find(({ search }) => isSame(search, current));
  const open = (view: SavedView) => () => setSearch({ ...NOTHING, ...view.search });
  const close = (): void => setDialog(null);
  return (
    <>
      <Menu position="bottom-start" width={260} shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            className="control"
            leftSection={<Icon name="views" size={14} />}
            rightSection={<Icon name="chevron" size={14} />}
          >
            <span className="clip">{shown?.name ?? 'Views'}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} className="scrolls">
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              onClick={open(view)}
              rightSection={view === shown && <Icon name="check" size={14} />}
            >
              <span className="clip">{view.name}</span>
            </Menu.Item>
          ))}
          {views.length === 0 && <Menu.Label>No views yet</Menu.Label>}
          {may('member') && (
            <>
              <Menu.Divider />
              {shown === undefined && <Menu.Item onClick={() => setDialog('save')}>Save view…</Menu.Item>}
              {views.length > 0 && <Menu.Item onClick={() => setDialog('manage')}>Manage views…</Menu.Item>}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && <SaveView projectId={scope.projectId} search={current} onClose={close} />}
      {dialog === 'manage' && (
        <ManageViews projectId={scope.projectId} views={views} search={current} onClose={close} />
      )}
    </>
  );
}
