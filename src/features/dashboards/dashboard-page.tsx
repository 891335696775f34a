import { ActionIcon, Alert, Button, Menu } from '@mantine/core';
import { useFullscreenElement } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { refresh, send, useApi } from '../../dashboard/shell/api.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import type { MetricsAnswer } from '../../dashboard/shell/metrics/use-many-metrics.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { type Scope, useScope } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { endOf } from '../../dashboard/ui/grid/arrange.ts';
import { TileGrid } from '../../dashboard/ui/grid/tile-grid.tsx';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { getDashboardApi, listDashboardsApi, putDashboardApi } from './apis.tsx';
import type { Dashboard } from './contract.ts';
import { DashboardMenu } from './dashboard-menu.tsx';
import css from './dashboard-page.module.css';
import type { Tile } from './tiles/contract.ts';
import { NEW_TILE, type TileDraft, TileForm } from './tiles/tile-form.tsx';
import { TileNote, TileView } from './tiles/tile-view.tsx';
import { useFigures } from './use-figures.tsx';

const BACK = <ProjectLink page="dashboards">Dashboards</ProjectLink>;

/** One dashboard: its tiles over the page's time range. */
export function DashboardPage(): JSX.Element {
  const { dashboardId = '' } = useParams({ strict: false }) as { dashboardId?: string };
  const scope = useScope('dashboards/$dashboardId');
  const { projectId } = scope;
  const dashboard = useApi(getDashboardApi, { params: { id: dashboardId }, query: { projectId } });
  if (dashboard.data === undefined)
    return (
      <Page title="Dashboard" back={BACK}>
        <Loaded of={dashboard} loading={<LoadingRows rows={8} />}>
          {() => null}
        </Loaded>
      </Page>
    );
  return <Shown key={dashboardId} dashboard={dashboard.data} scope={scope} />;
}

/** How often a dashboard on a wall reads its figures. */
const WALL_MS = 60_000;

function Shown({ dashboard, scope }: { dashboard: Dashboard; scope: Scope }): JSX.Element {
  const { userId, may } = useMember();
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const [isEditing, setIsEditing] = useState(false);
  const [form, setForm] = useState<{ id: string | null; draft: TileDraft } | null>(null);
  const editable = may('admin') || (may('member') && dashboard.createdBy === userId);
  const save = useSave(dashboard, scope.projectId);
  const { tiles } = dashboard;
  const put = (changed: Tile[]): void => save.mutate({ tiles: changed });
  const keep = (draft: TileDraft): void => {
    const id = form?.id ?? null;
    put(
      id === null
        ? [...tiles, { ...draft, id: newId(), x: 0, y: endOf(tiles), ...sizeOf(draft) }]
        : tiles.map((tile) => (tile.id === id ? { ...tile, ...draft } : tile)),
    );
    setForm(null);
  };
  const add = (): void => setForm({ id: null, draft: NEW_TILE });
  const every = scope.every === false && fullscreen ? WALL_MS : scope.every;
  return (
    <Page
      title={dashboard.name}
      back={BACK}
      filtered={scope}
      detail={!dashboard.shared && <span className="badge">Private</span>}
      actions={
        <>
          {editable && (
            <>
              {(isEditing || tiles.length === 0) && <Button onClick={add}>Add tile</Button>}
              {tiles.length > 0 && (
                <Button variant="default" aria-pressed={isEditing} onClick={() => setIsEditing(!isEditing)}>
                  {isEditing ? 'Done' : 'Edit'}
                </Button>
              )}
            </>
          )}
          <ActionIcon variant="default" size={30} aria-label="Full screen" onClick={() => void toggle()}>
            <Icon name="fullscreen" size={15} />
          </ActionIcon>
          <DashboardMenu dashboard={dashboard} projectId={scope.projectId} editable={editable} />
        </>
      }
    >
      <div ref={ref} className={fullscreen ? css.wall : undefined}>
        {fullscreen && <h2 className={css.wallTitle}>{dashboard.name}</h2>}
        {tiles.length === 0 ? (
          <Panel>
            <Notice icon="dashboards" title="No tiles yet">
              {editable ? 'Add a chart, a number or a table.' : 'Its author has added nothing yet.'}
            </Notice>
          </Panel>
        ) : (
          <Tiles
            dashboard={dashboard}
            scope={{ ...scope, every }}
            onArrange={isEditing ? put : undefined}
            onEdit={({ id, ...draft }) => setForm({ id, draft })}
            onChange={put}
          />
        )}
      </div>
      {form !== null && (
        <TileForm
          title={form.id === null ? 'Add tile' : 'Edit tile'}
          submit={form.id === null ? 'Add to dashboard' : 'Save'}
          scope={scope}
          draft={form.draft}
          onSave={keep}
          onClose={() => setForm(null)}
        />
      )}
    </Page>
  );
}

const sizeOf = ({ kind }: TileDraft): { w: number; h: number } =>
  kind === 'number' ? { w: 3, h: 2 } : { w: kind === 'matrix' || kind === 'heatmap' ? 12 : 6, h: 5 };

const newId = (): string => `tile-${crypto.randomUUID().slice(0, 8)}`;

/** Replaces the dashboard; a change that somebody else made meanwhile is not overwritten. */
function useSave(dashboard: Dashboard, projectId: string) {
  return useChange<Partial<Pick<Dashboard, 'tiles' | 'name' | 'shared'>>>({
    failed: 'The dashboard was not saved',
    send: async (change) => {
      const { name, shared, tiles, revision, id } = dashboard;
      await send(putDashboardApi, {
        params: { id },
        query: { projectId },
        body: { name, shared, tiles, revision, ...change },
      });
      await refresh(getDashboardApi);
    },
    stale: [listDashboardsApi],
  });
}

type TilesProps = {
  readonly dashboard: Dashboard;
  readonly scope: Scope;
  readonly onArrange: ((tiles: Tile[]) => void) | undefined;
  readonly onEdit: (tile: Pick<Tile, 'id'> & TileDraft) => void;
  readonly onChange: (tiles: Tile[]) => void;
};

function Tiles({ dashboard: { tiles }, scope, onArrange, onEdit, onChange }: TilesProps): JSX.Element {
  const figures = useFigures(scope, tiles);
  const replies = figures.data?.replies ?? [];
  // While changed tiles are read, the replies to those before are still there.
  const replyTo = (tile: Tile): MetricsAnswer | undefined =>
    replies.length === tiles.length ? replies[tiles.indexOf(tile)] : undefined;
  return (
    <>
      {figures.error !== null && figures.data !== undefined && (
        <Alert color="yellow" mb="sm">
          The figures are from an earlier read: {figures.error.message}
        </Alert>
      )}
      <TileGrid tiles={tiles} nameOf={({ title }) => title} onArrange={onArrange}>
        {(tile) => (
          <Panel
            title={tile.title}
            detail={<TileNote query={tile} answer={replyTo(tile)} />}
            flush
            actions={
              onArrange !== undefined && (
                <TileMenu tile={tile} tiles={tiles} onEdit={onEdit} onChange={onChange} />
              )
            }
          >
            <div className={css.content}>
              <Loaded of={figures} loading={<LoadingRows rows={tile.h} />}>
                {() => {
                  const own = replyTo(tile);
                  return own === undefined ? null : (
                    <TileView query={tile} answer={own} title={tile.title} height={tile.h * 68 - 12 - 46} />
                  );
                }}
              </Loaded>
            </div>
          </Panel>
        )}
      </TileGrid>
    </>
  );
}

type TileMenuProps = Pick<TilesProps, 'onEdit' | 'onChange'> & {
  readonly tile: Tile;
  readonly tiles: readonly Tile[];
};

function TileMenu({ tile, tiles, onEdit, onChange }: TileMenuProps): JSX.Element {
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" size="compact-xs" aria-label={`Edit ${tile.title}`}>
          Edit
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onEdit(tile)}>Edit</Menu.Item>
        <Menu.Item onClick={() => onChange([...tiles, { ...tile, id: newId(), y: endOf(tiles) }])}>
          Duplicate
        </Menu.Item>
        <Menu.Item color="red" onClick={() => onChange(tiles.filter(({ id }) => id !== tile.id))}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
