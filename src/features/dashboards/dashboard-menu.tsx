import { ActionIcon, Button, Checkbox, Group, Menu, Modal, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { refresh, send } from '../../dashboard/shell/api.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { pagePath } from '../../dashboard/shell/project-link.tsx';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { FormDialog } from '../../dashboard/ui/form-dialog.tsx';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { saveFile } from '../../dashboard/ui/save-file.ts';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import {
  createDashboardApi,
  deleteDashboardApi,
  getDashboardApi,
  listDashboardsApi,
  putDashboardApi,
} from './apis.tsx';
import type { Dashboard } from './contract.ts';

type Props = {
  readonly dashboard: Dashboard;
  readonly projectId: string;
  readonly editable: boolean;
};

/** What can be done with a dashboard as a whole. */
export function DashboardMenu({ dashboard, projectId, editable }: Props): JSX.Element {
  const navigate = useNavigate();
  const { may } = useMember();
  const [dialog, setDialog] = useState<'settings' | 'delete' | null>(null);
  const { id, name, shared, tiles } = dashboard;
  const duplicate = useChange({
    failed: 'The dashboard was not duplicated',
    send: async () => {
      const body = { name: `${name.slice(0, 73)} (copy)`, shared: false, tiles };
      const copy = await send(createDashboardApi, { query: { projectId }, body });
      await navigate({ to: pagePath(projectId, 'dashboards/$dashboardId', { dashboardId: copy.id }) });
    },
    stale: [listDashboardsApi],
    done: 'A private copy was made',
  });
  const remove = useChange({
    failed: 'The dashboard was not deleted',
    send: async () => {
      await send(deleteDashboardApi, { params: { id }, query: { projectId } });
      await navigate({ to: pagePath(projectId, 'dashboards') });
    },
    stale: [listDashboardsApi],
    done: `${name} was deleted`,
  });
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More about this dashboard">
            <Icon name="settings" size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {editable && <Menu.Item onClick={() => setDialog('settings')}>Name and visibility</Menu.Item>}
          {may('member') && <Menu.Item onClick={() => duplicate.mutate()}>Duplicate</Menu.Item>}
          <Menu.Item
            onClick={() =>
              saveFile(`${name}.json`, JSON.stringify({ name, shared, tiles }, null, 2), 'application/json')
            }
          >
            Export as JSON
          </Menu.Item>
          {editable && (
            <Menu.Item color="red" onClick={() => setDialog('delete')}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'settings' && (
        <Settings dashboard={dashboard} projectId={projectId} onClose={() => setDialog(null)} />
      )}
      <Modal
        opened={dialog === 'delete'}
        onClose={() => setDialog(null)}
        title={`Delete ${name}?`}
        centered
        size="sm"
      >
        <div className="form">
          <p>This deletes the dashboard{shared ? ' for everybody in the project' : ''}. Events stay.</p>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setDialog(null)} data-autofocus>
              Cancel
            </Button>
            <Button color="red.8" onClick={() => remove.mutate()}>
              Delete dashboard
            </Button>
          </Group>
        </div>
      </Modal>
    </>
  );
}

type SettingsProps = Omit<Props, 'editable'> & { readonly onClose: () => void };

function Settings({ dashboard, projectId, onClose }: SettingsProps): JSX.Element {
  const { id, tiles, revision } = dashboard;
  const form = useSubmit(async ({ name = '', shared }) => {
    const body = { name, shared: shared === 'on', tiles, revision };
    await send(putDashboardApi, { params: { id }, query: { projectId }, body });
    await refresh(getDashboardApi, listDashboardsApi);
    onClose();
  });
  return (
    <FormDialog title="Name and visibility" form={form} submit="Save" onClose={onClose} size="sm">
      <TextInput label="Name" name="name" required maxLength={80} defaultValue={dashboard.name} />
      <Checkbox name="shared" label="Everybody in the project sees it" defaultChecked={dashboard.shared} />
    </FormDialog>
  );
}
