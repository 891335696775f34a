import { Button, Checkbox, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { Dialog } from '../../dashboard/ui/dialog.tsx';
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
  ViewPage,
} from './contract.ts';
import { type Kept, KeptText, type ShownKept } from './view-text.tsx';

const listViewsApi = endpointOf<typeof getViewsEndpoint>('GET /v1/views');
const createViewApi = endpointOf<typeof postViewEndpoint>('POST /v1/views');
const changeViewApi = endpointOf<typeof putViewEndpoint>('PUT /v1/views/:id');
const deleteViewApi = endpointOf<typeof deleteViewEndpoint>('DELETE /v1/views/:id');

type Props = {
  readonly projectId: string;
  readonly page: ViewPage;
  /** The current filters, order and columns. */
  readonly search: Kept;
  /** Says what a view keeps. */
  readonly text: ShownKept | undefined;
  readonly onClose: () => void;
};

/** Saves the current filters and columns under a name. */
export function SaveView({ projectId, page, search, text: Text = KeptText, onClose }: Props): JSX.Element {
  const save = useChange<{ readonly name: string; readonly isPrivate: boolean }>({
    failed: 'The view was not saved',
    inForm: true,
    send: (body) =>
      send(createViewApi, {
        query: { projectId, page },
        body: { ...body, search: search as ViewBody['search'] },
      }),
    stale: [listViewsApi],
    done: 'The view was saved',
  });
  const form = useSubmit(async ({ name = '', private: isPrivate }) => {
    await save.mutateAsync({ name, isPrivate: isPrivate !== undefined });
    onClose();
  });
  return (
    <FormDialog title="Save view" form={form} submit="Save" onClose={onClose} size="sm">
      <TextInput label="Name" name="name" required maxLength={80} data-autofocus />
      <p className="dim">
        <Text projectId={projectId} search={search} />. The time range is not saved.
      </p>
      <Checkbox
        name="private"
        label="Only for me"
        description="Otherwise everybody in the project sees the view."
      />
    </FormDialog>
  );
}

/** All views with what they save; editable ones have actions. */
export function ManageViews({
  projectId,
  views,
  search,
  text,
  onClose,
}: Props & { readonly views: readonly SavedView[] }): JSX.Element {
  return (
    <Dialog onClose={onClose} title="Views" size="lg">
      {views.length === 0 && <p className="dim">No views yet</p>}
      <ul className="form">
        {views.map((view) => (
          <ViewRow key={view.id} view={view} projectId={projectId} search={search} text={text} />
        ))}
      </ul>
    </Dialog>
  );
}

type RowProps = Pick<Props, 'projectId' | 'search' | 'text'> & { readonly view: SavedView };

function ViewRow({ view, projectId, search, text: Text = KeptText }: RowProps): JSX.Element {
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
            {view.createdBy === userId && (
              <Button
                variant="default"
                size="compact-xs"
                onClick={() => change.mutate({ isPrivate: !view.isPrivate })}
              >
                {view.isPrivate ? 'Share' : 'Make private'}
              </Button>
            )}
            <Confirm
              label="Update"
              title={`Update ${view.name} to the current filters, order and columns?`}
              confirm="Update view"
              danger={false}
              onConfirm={() => change.mutate({ search: search as ViewChange['search'] })}
            >
              <Text projectId={projectId} search={search} />
            </Confirm>
            <Confirm
              label="Delete"
              title={`Delete ${view.name}?`}
              confirm="Delete view"
              onConfirm={() => remove.mutate()}
            >
              This deletes the view{view.isPrivate ? '' : ' for everybody in the project'}. Events stay.
            </Confirm>
          </span>
        )}
      </div>
      <p className="dim">
        <Text projectId={projectId} search={view.search} />
        {view.isPrivate ? ' · only for you' : view.author !== null && ` · by ${view.author}`}
      </p>
    </li>
  );
}
