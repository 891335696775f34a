import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import type {
  getDashboardEndpoint,
  listDashboardsEndpoint,
  postDashboardEndpoint,
  putDashboardEndpoint,
} from '../../../features/dashboards/contract.ts';
import type { Tile } from '../../../features/dashboards/tiles/contract.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { endOf } from '../../ui/grid/arrange.ts';
import { Loaded, LoadingRows } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { refresh, send, useApi } from '../api.ts';
import { endpointOf } from '../endpoint.ts';
import { useMember } from '../member.ts';
import { useNotify } from '../notices/notices.tsx';
import { pagePath } from '../project-link.tsx';
import { useScope } from '../scope/scope.ts';
import type { Card } from './card.ts';
import { pageFilter } from './use-metrics.ts';

const listApi = endpointOf<typeof listDashboardsEndpoint>('GET /v1/dashboards');
const getApi = endpointOf<typeof getDashboardEndpoint>('GET /v1/dashboards/:id');
const postApi = endpointOf<typeof postDashboardEndpoint>('POST /v1/dashboards');
const putApi = endpointOf<typeof putDashboardEndpoint>('PUT /v1/dashboards/:id');

type Props = { readonly card: Card; readonly onClose: () => void };

const NEW = '';

/** Which dashboard a chart goes to, an existing one or a new one, and what it is called there. */
export function AddDialog({ card, onClose }: Props): JSX.Element {
  const { projectId, params, search } = useScope();
  const { userId, may } = useMember();
  const notify = useNotify();
  const navigate = useNavigate();
  const listed = useApi(listApi, { query: { projectId } });
  const editable = (listed.data?.dashboards ?? []).filter(
    ({ createdBy }) => createdBy === userId || may('admin'),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const id = chosen ?? editable[0]?.id ?? NEW;
  const filter = pageFilter({ params: { ...params, filter: search.filter } }, card.filter);
  const form = useSubmit(async ({ title = '', name = '' }) => {
    const tile = { ...card, title: title.trim() === '' ? card.title : title, filter };
    const added =
      id === NEW ? await create(projectId, { name, tile }) : await append(projectId, { id, tile });
    await refresh(listApi, getApi);
    notify({ message: `The chart was added to ${added.name}` });
    await navigate({
      to: pagePath(projectId, 'dashboards/$dashboardId', { dashboardId: added.id }),
      search: (before) => ({ ...before, filter: undefined, environment: undefined }),
    });
  });
  return (
    <FormDialog title="Add to dashboard" form={form} submit="Add" onClose={onClose} size="sm">
      <Loaded of={listed} loading={<LoadingRows rows={2} />}>
        {() => (
          <>
            <NativeSelect
              label="Dashboard"
              value={id}
              onChange={({ currentTarget: { value } }) => setChosen(value)}
              data={[
                ...editable.map(({ id: value, name }) => ({ value, label: name })),
                { value: NEW, label: 'New dashboard' },
              ]}
            />
            {id === NEW && (
              <TextInput
                label="Name of the new dashboard"
                name="name"
                required
                maxLength={80}
                defaultValue={card.title}
                description="Everybody in the project sees it."
              />
            )}
          </>
        )}
      </Loaded>
      <TextInput label="Title" name="title" maxLength={100} placeholder={card.title} />
      {filter !== '' && (
        <p className="dim">
          Its filter: <code>{filter}</code>
        </p>
      )}
    </FormDialog>
  );
}

type NewTile = Card & { readonly filter: string };

const WIDE: readonly Card['kind'][] = ['heatmap', 'matrix'];

/** A tile below all others. */
const tileOf = (card: NewTile, tiles: readonly Tile[]): Tile => ({
  groupBy: [],
  limit: 6,
  ...card,
  id: `tile-${crypto.randomUUID().slice(0, 8)}`,
  x: 0,
  y: endOf(tiles),
  w: WIDE.includes(card.kind) ? 12 : 6,
  h: 5,
});

const create = (projectId: string, { name, tile }: { readonly name: string; readonly tile: NewTile }) =>
  send(postApi, { query: { projectId }, body: { name, shared: true, tiles: [tileOf(tile, [])] } });

/** A change that somebody makes at the same time is refused by the server, not overwritten. */
async function append(projectId: string, { id, tile }: { readonly id: string; readonly tile: NewTile }) {
  const { name, shared, tiles, revision } = await send(getApi, { params: { id }, query: { projectId } });
  const body = { name, shared, tiles: [...tiles, tileOf(tile, tiles)], revision };
  return send(putApi, { params: { id }, query: { projectId }, body });
}
