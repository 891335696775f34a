import { Button, Menu } from '@mantine/core';
import { type JSX, useEffect, useRef, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { type Scope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import type { EventsSearch } from '../../dashboard/shell/scope/search.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import type { getViewsEndpoint, putDefaultViewEndpoint, SavedView, ViewPage } from './contract.ts';
import { ManageViews, SaveView } from './view-dialogs.tsx';
import type { Kept, ShownKept } from './view-text.tsx';

const viewsApi = endpointOf<typeof getViewsEndpoint>('GET /v1/views');
const defaultViewApi = endpointOf<typeof putDefaultViewEndpoint>('PUT /v1/views/:id/default');

/** What a view keeps of an address. */
const KEPT = [
  'status',
  'kind',
  'model',
  'provider',
  'errorCode',
  'userId',
  'sessionId',
  'keyId',
  'tag',
  'costStatus',
  'filter',
  'environment',
  'q',
  'by',
  'across',
  'cell',
  'spread',
  'metric',
  'sort',
  'order',
  'columns',
] as const;

type Search = Readonly<Record<string, string | undefined>>;

const keptOf = (search: Search): Kept =>
  Object.fromEntries(KEPT.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));

/** Whether two addresses keep the same, in whatever order. */
const isSame = (a: Kept, b: Kept): boolean => KEPT.every((name) => a[name] === b[name]);

const NOTHING: EventsSearch = Object.fromEntries([...KEPT, 'event', 'at'].map((name) => [name, undefined]));

type Props = {
  readonly scope: Pick<Scope, 'projectId' | 'search'>;
  readonly page: ViewPage;
  /** What a view keeps, in the page's words. */
  readonly shown?: ShownKept;
};

/** The views of a page: what is shown by its name, the way to the others, and to keep what is shown. */
export function ViewMenu({ scope: { projectId, search }, page, shown: text }: Props): JSX.Element {
  const setSearch = useSetSearch<'events'>();
  const { may } = useMember();
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const read = useApi(viewsApi, { query: { projectId, page } });
  const views = read.data?.views ?? [];
  const current = keptOf(search);
  const shown = views.find((view) => isSame(view.search, current));
  const open = (view: SavedView) => () => setSearch({ ...NOTHING, ...view.search });
  const close = (): void => setDialog(null);
  const setDefault = useChange<SavedView>({
    failed: 'The default view was not changed',
    send: ({ id, isDefault }) =>
      send(defaultViewApi, { params: { id }, query: { projectId }, body: { isDefault: !isDefault } }),
    stale: [viewsApi],
  });
  useDefaultView(views, search);
  const about = { projectId, page, search: current, text, onClose: close };
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
              {view.isPrivate && <span className="dim"> · private</span>}
              {view.isDefault && <span className="dim"> · default</span>}
            </Menu.Item>
          ))}
          {read.data !== undefined && views.length === 0 && <Menu.Label>No views yet</Menu.Label>}
          {read.data === undefined && read.error !== null && (
            <>
              <Menu.Label>The views were not read: {read.error.message}</Menu.Label>
              <Menu.Item closeMenuOnClick={false} onClick={() => void read.refetch()}>
                Try again
              </Menu.Item>
            </>
          )}
          {shown !== undefined && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => setDefault.mutate(shown)}>
                {shown.isDefault ? 'Open the page without it' : 'Open the page with it'}
              </Menu.Item>
            </>
          )}
          {may('member') && (
            <>
              <Menu.Divider />
              {shown === undefined && <Menu.Item onClick={() => setDialog('save')}>Save view…</Menu.Item>}
              {views.length > 0 && <Menu.Item onClick={() => setDialog('manage')}>Manage views…</Menu.Item>}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && <SaveView {...about} />}
      {dialog === 'manage' && <ManageViews {...about} views={views} />}
    </>
  );
}

/** Opens the default view of a page whose address says nothing, once: whoever leaves it sees everything. */
function useDefaultView(views: readonly SavedView[], search: Search): void {
  const setSearch = useSetSearch<'events'>();
  const isDone = useRef(false);
  const isBare = isSame(keptOf(search), {}) && search.event === undefined;
  const view = views.find(({ isDefault }) => isDefault);
  useEffect(() => {
    // An address that says something stays as it is, also after it was changed.
    if (!isBare) isDone.current = true;
    if (isDone.current || view === undefined) return;
    isDone.current = true;
    setSearch(view.search, { replace: true });
  }, [isBare, view, setSearch]);
}
