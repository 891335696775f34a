import { Button, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import type {
  getMembersEndpoint,
  getOrganizationEndpoint,
  MemberRow,
  OrganizationReply,
  postLeaveEndpoint,
  postTransferEndpoint,
  putOrganizationEndpoint,
} from '../../core/orgs/contract.ts';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { meApi, useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { countText } from '../../lib/figures.ts';
import type { removeOrganizationEndpoint } from './contract.ts';

const organizationApi = endpointOf<typeof getOrganizationEndpoint>('GET /v1/organizations/:id');
const renameApi = endpointOf<typeof putOrganizationEndpoint>('PUT /v1/organizations/:id');
const membersApi = endpointOf<typeof getMembersEndpoint>('GET /v1/organizations/:id/members');
const transferApi = endpointOf<typeof postTransferEndpoint>('POST /v1/organizations/:id/transfer');
const leaveApi = endpointOf<typeof postLeaveEndpoint>('POST /v1/organizations/:id/leave');
const deleteApi = endpointOf<typeof removeOrganizationEndpoint>('DELETE /v1/organizations/:id');

/** Loads the first page: what the frame of this one polls would be refused. */
const startAnew = (): void => window.location.assign('/');

/** Name and members' second factors of an organization; transfer, leaving and deletion. */
export function OrganizationPage(): JSX.Element {
  const { organizationId: id, organizationName, role, may } = useMember();
  const enabled = id !== '';
  const organization = useApi(organizationApi, { params: { id } }, { enabled });
  const members = useApi(membersApi, { params: { id } }, { enabled });
  const rows = members.data?.members;
  return (
    <Page title="Organization" detail={<span className="dim">{organizationName}</span>} scoped={false}>
      <div className="steps">
        <Panel title="General">
          <Loaded of={organization} loading={<LoadingRows rows={2} />}>
            {(data) => <General key={data.name} organization={data} editable={may('admin')} />}
          </Loaded>
        </Panel>
        {rows !== undefined && <People rows={rows} mayManage={may('admin')} />}
        {rows !== undefined && role === 'owner' && <Transfer id={id} rows={rows} />}
        {enabled && <Leave id={id} name={organizationName} />}
        {enabled && role === 'owner' && <Deletion id={id} name={organizationName} />}
      </div>
    </Page>
  );
}

function General({
  organization,
  editable,
}: {
  organization: OrganizationReply;
  editable: boolean;
}): JSX.Element {
  const { id, plan, retentionDays } = organization;
  const [name, setName] = useState(organization.name);
  const save = useChange({
    failed: 'The organization was not renamed',
    send: () => send(renameApi, { params: { id }, body: { name } }),
    stale: [organizationApi, meApi],
    done: 'Saved',
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={200}
        disabled={!editable}
      />
      <TextInput label="Organization id" value={id} readOnly classNames={{ input: 'mono' }} />
      <p className="dim">
        Plan {plan}; events are kept for {countText(retentionDays, 'day')}.{' '}
        <Link from="/projects/$projectId" to="/projects/$projectId/usage">
          Usage by project
        </Link>
      </p>
      {editable && (
        <Button type="submit" loading={save.isPending} className="own-width">
          Save
        </Button>
      )}
    </form>
  );
}

function People({ rows, mayManage }: { rows: readonly MemberRow[]; mayManage: boolean }): JSX.Element {
  const without = rows.filter(({ secondFactor }) => secondFactor === false);
  return (
    <Panel title="Members">
      <p>
        {countText(rows.length, 'member')}
        {mayManage &&
          (without.length === 0
            ? ', all with a second factor. '
            : `, ${without.length} without a second factor: ${new Intl.ListFormat('en').format(without.map(({ name }) => name))}. `)}
        {!mayManage && '. '}
        <Link from="/projects/$projectId" to="/projects/$projectId/members">
          Members and invitations
        </Link>
      </p>
    </Panel>
  );
}

function Transfer({ id, rows }: { id: string; rows: readonly MemberRow[] }): JSX.Element {
  const { userId } = useMember();
  const [whom, setWhom] = useState<string | null>(null);
  const others = rows.filter((row) => row.userId !== userId && row.role !== 'owner');
  const name = others.find((row) => row.userId === whom)?.name ?? '';
  const transfer = useChange({
    failed: 'The organization was not transferred',
    send: () => send(transferApi, { params: { id }, body: { userId: whom ?? '' } }),
    stale: [membersApi, organizationApi, meApi],
    done: `${name} is an owner now; you are an admin`,
  });
  return (
    <Panel title="Transfer ownership">
      <div className="form">
        <p className="dim">
          {others.length === 0
            ? 'Invite somebody first: ownership goes to another member.'
            : 'Another member becomes an owner, and you become an admin.'}
        </p>
        {others.length > 0 && (
          <>
            <Select
              label="New owner"
              placeholder="Choose a member"
              data={others.map((row) => ({ value: row.userId, label: `${row.name} (${row.email})` }))}
              value={whom}
              onChange={setWhom}
            />
            <span>
              <Confirm
                label="Transfer"
                size="xs"
                title={`Make ${name} the owner?`}
                confirm="Transfer ownership"
                disabled={whom === null}
                onConfirm={() => transfer.mutate()}
              >
                You will be an admin. Only {name} can undo this.
              </Confirm>
            </span>
          </>
        )}
      </div>
    </Panel>
  );
}

function Leave({ id, name }: { id: string; name: string }): JSX.Element {
  const leave = useChange({
    failed: 'You did not leave the organization',
    send: async () => {
      await send(leaveApi, { params: { id } });
      startAnew();
    },
    stale: [],
  });
  return (
    <Panel title="Leave">
      <div className="form">
        <p className="dim">
          You lose access, and your access tokens of this organization end. The last owner cannot leave.
        </p>
        <span>
          <Confirm
            label="Leave …"
            size="xs"
            title={`Leave ${name}?`}
            confirm="Leave"
            onConfirm={() => leave.mutate()}
          >
            Only an admin can let you in again.
          </Confirm>
        </span>
      </div>
    </Panel>
  );
}

function Deletion({ id, name }: { id: string; name: string }): JSX.Element {
  const remove = useChange({
    failed: 'The organization was not deleted',
    send: async () => {
      await send(deleteApi, { params: { id } });
      startAnew();
    },
    stale: [],
  });
  return (
    <Panel title="Delete organization">
      <div className="form">
        <p className="dim">
          All of its projects, keys and memberships end at once; events are deleted within 24 hours. You
          cannot undo this.
        </p>
        <span>
          <Confirm
            label="Delete organization"
            size="xs"
            title={`Delete ${name}?`}
            confirm={`Delete ${name}`}
            word={name}
            onConfirm={() => remove.mutate()}
          >
            This deletes all projects of {name} with their events, totals and keys.
          </Confirm>
        </span>
      </div>
    </Panel>
  );
}
