import { Button, Modal, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { arranged } from '../../dashboard/shell/lists/layout.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type {
  deleteViewEndpoint,
  getViewsEndpoint,
  postViewEndpoint,
  putViewEndpoint,
  SavedView,
  ViewBody,
  ViewChange,
} from './contract.ts';
import { EVENT_COLUMNS } from './event-columns.tsx';
import { FILTER_NAMES, FILTERS, filterText, useKeys } from './filter-bar.tsx';

const listViewsApi = endpointOf<typeof getViewsEndpoint>('GET /v1/events/views');
const createViewApi = endpointOf<typeof postViewEndpoint>('POST /v1/events/views');
const changeViewApi = endpointOf<typeof putViewEndpoint>('PUT /v1/events/views/:id');
const deleteViewApi = endpointOf<typeof deleteViewEndpoint>('DELETE /v1/events/views/:id');

type Kept = Readonly<Record<string, string>>;
type Props = {
  readonly projectId: string;
  /** The current filters and columns. */
  readonly search: Kept;
  readonly onClose: () => void;
};

/** What a view saves, in words; with names of keys once they are loaded. */
function KeptText({ projectId, search }: Pick<Props, 'projectId' | 'search'>): string {
  const { filter, environment, columns, ...filters } = search;
  const keys = useKeys({ projectId }, filters.keyId !== undefined);
  const named = FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    const key = name === 'keyId' ? keys.find(({ id }) => id === value)?.name : undefined;
    return [`${FILTERS[name]}: ${key ?? filterText(name, value)}`];
  });
  const ids = columns?.split(',') ?? [];
  const labels = arranged(EVENT_COLUMNS, { shown: ids }).map(({ label }) => label);
  return [
    ...(environment === undefined ? [] : [`Environment: ${environment}`]),
    ...named,
    ...(filter === undefined ? [] : [`Filter: ${filter}`]),
    ...((named[0] ?? environment ?? filter) === undefined ? ['All calls'] : []),
    ...(labels.length === 0 ? [] : [`Columns: ${labels.join(', ')}`]),
  ].join(' · ');
}

/** Saves the current filters and columns under a name. */
export function SaveView({ projectId, search, onClose }: Props): JSX.Element {
  const save = useChange<ViewBody>({
    failed: 'The view was not saved',
    send: (body) => send(createViewApi, { query: { projectId }, body }),
    stale: [listViewsApi],
    done: 'The view was saved',
  });
  const form = useSubmit(async ({ name = '' }) => {
    await save.mutateAsync({ name, search: search as ViewBody['search'] });
    onClose();
  });
  return (
    <FormDialog title="Save view" form={form} submit="Save" onClose={onClose} size="sm">
      <TextInput label="Name" name="name" required maxLength={80} data-autofocus />
      <p className="dim">
        <KeptText projectId={projectId} search={search} />. Everybody in the project sees the view. The time
        range is not saved.
      </p>
    </FormDialog>
  );
}

/** All views with what they save; editable ones have actions. */
export function ManageViews({
  projectId,
  views,
  search,
  onClose,
}: Props & { readonly views: readonly SavedView[] }): JSX.Element {
  return (
    <Modal opened onClose={onClose} title="Views" centered size="lg">
      {views.length === 0 && <p className="dim">No views yet</p>}
      <ul className="form">
        {views.map((view) => (
          <ViewRow key={view.id} view={view} projectId={projectId} search={search} />
        ))}
      </ul>
    </Modal>
  );
}

type RowProps = Pick<Props, 'projectId' | 'search'> & { readonly view: SavedView };

function ViewRow({ view, projectId, search }: RowProps): JSX.Element {
  const { userId, may } = useMember();
  const [renaming, setRenaming] = useState(false);
  const editable = may('admin') || view.createdBy === userId;
  const change = useChange<ViewChange>({
    failed: 'The view was not changed',
    send: (body) => send(changeViewApi, { params: { id: view.id }, query: { projectId }, body }),
    stale: [listViewsApi],
  });
  const remove = useChange({
    failed: 'The view was not deleted',
    send: () => send(deleteViewApi, { params: { id: view.id }, query: { projectId } }),
    stale: [listViewsApi],
    done: `${view.name} was deleted`,
  });
  const { busy, onSubmit } = useSubmit(async ({ name = '' }) => {
    if (name.trim() !== view.name) await change.mutateAsync({ name });
    setRenaming(false);
  });
  return (
    <li>
      <div className="inline-form">
        {renaming ? (
          <form onSubmit={onSubmit} className="inline-form">
            <TextInput
              size="xs"
              name="name"
              aria-label={`New name of ${view.name}`}
              defaultValue={view.name}
              required
              maxLength={80}
              autoFocus
            />
            <Button type="submit" size="compact-xs" loading={busy}>
              Rename
            </Button>
            <Button variant="default" size="compact-xs" onClick={() => setRenaming(false)}>
              Cancel
            </Button>
          </form>
        ) : (
          <strong className="clip">{view.name}</strong>
        )}
        {editable && !renaming && (
          <span className="panel-actions">
            <Button variant="default" size="compact-xs" onClick={() => setRenaming(true)}>
              Rename
            </Button>
            <Confirm
              label="Update"
              title={`Update ${view.name} to the current filters and columns?`}
              confirm="Update view"
              danger={false}
              onConfirm={() => change.mutate({ search: search as ViewChange['search'] })}
            >
              <KeptText projectId={projectId} search={search} />
            </Confirm>
            <Confirm
              label="Delete"
              title={`Delete ${view.name}?`}
              confirm="Delete view"
              onConfirm={() => remove.mutate()}
            >
              This deletes the view for everybody in the project. Events stay.
            </Confirm>
          </span>
        )}
      </div>
      <p className="dim">
        <KeptText projectId={projectId} search={view.search} />
        {view.author !== null && ` · by ${view.author}`}
      </p>
    </li>
  );
}
