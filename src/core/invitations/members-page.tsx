import type { JSX } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { meApi, useMember } from '../../dashboard/shell/member.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { Domains } from '../auth/domains/domains-panel.tsx';
import type {
  deleteMemberEndpoint,
  getMembersEndpoint,
  MemberRow,
  putMemberEndpoint,
} from '../orgs/contract.ts';
import type { Role } from '../tenancy/contract.ts';
import { Invitations } from './invitations-panel.tsx';
import { RoleSelect } from './role-select.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';

const changeRoleApi = endpointOf<typeof putMemberEndpoint>('PUT /v1/organizations/:id/members/:userId');
const removeMemberApi = endpointOf<typeof deleteMemberEndpoint>(
  'DELETE /v1/organizations/:id/members/:userId',
);
const membersApi = endpointOf<typeof getMembersEndpoint>('GET /v1/organizations/:id/members');

/** The members of the organization with their roles, and the invitations. */
export function MembersPage(): JSX.Element {
  const { organizationId, organizationName, may } = useMember();
  const members = useApi(membersApi, { params: { id: organizationId } }, { enabled: organizationId !== '' });
  return (
    <Page title="Members" detail={<span className="dim">of {organizationName}</span>} scoped={false}>
      <p className="dim lead">
        Owners can do everything. Admins can do everything but change owners and delete the organization.
        Members read and correct events. Viewers read.
      </p>
      <Panel flush>
        <Loaded of={members} loading={<LoadingRows rows={3} />}>
          {(data) => <Members members={data.members} />}
        </Loaded>
      </Panel>
      {may('admin') && members.data !== undefined && <SecondFactorPanel members={members.data.members} />}
      {may('admin') && organizationId !== '' && (
        <>
          <Domains organizationId={organizationId} />
          <Invitations organizationId={organizationId} />
        </>
      )}
    </Page>
  );
}

const secondFactorColumn: Column<MemberRow> = {
  id: 'second-factor',
  header: 'Second factor',
  value: ({ secondFactor }) => (secondFactor === true ? 1 : 0),
  cell: ({ secondFactor }) => (secondFactor === true ? 'Yes' : <span className="warn">None</span>),
};

function Members({ members }: { members: readonly MemberRow[] }): JSX.Element {
  const zone = useZone();
  const { may, userId, organizationId } = useMember();
  const stale = [membersApi, meApi];
  const change = useChange<{ userId: string; role: Role }>({
    failed: 'The role was not changed',
    send: ({ userId: whom, role }) =>
      send(changeRoleApi, { params: { id: organizationId, userId: whom }, body: { role } }),
    stale,
    done: 'The role was changed',
  });
  const remove = useChange<string>({
    failed: 'The member was not removed',
    send: (whom) => send(removeMemberApi, { params: { id: organizationId, userId: whom } }),
    stale,
    done: 'The member was removed',
  });
  // Only owners add, change and remove owners.
  const mayChange = (row: MemberRow): boolean =>
    row.userId !== userId && may(row.role === 'owner' ? 'owner' : 'admin');
  const columns: Column<MemberRow>[] = [
    {
      id: 'name',
      header: 'Name',
      wide: true,
      value: ({ name }) => name,
      cell: ({ name, userId: whom }) => (
        <>
          {name}
          {whom === userId && <span className="badge badge-after">you</span>}
        </>
      ),
    },
    { id: 'email', header: 'Email', value: ({ email }) => email, cell: ({ email }) => email },
    {
      id: 'role',
      header: 'Role',
      value: ({ role }) => role,
      cell: (row) => (
        <RoleSelect
          label={`Role of ${row.name}`}
          role={row.role}
          roles={may('owner') ? ['owner', 'admin', 'member', 'viewer'] : ['admin', 'member', 'viewer']}
          disabled={!mayChange(row)}
          onChange={(role) => change.mutate({ userId: row.userId, role })}
        />
      ),
    },
    ...(may('admin') ? [secondFactorColumn] : []),
    {
      id: 'joined',
      header: 'Joined',
      value: ({ joinedAt }) => joinedAt,
      cell: ({ joinedAt }) => timeText.date(joinedAt, zone),
    },
    {
      id: 'actions',
      header: '',
      cell: (row) =>
        mayChange(row) ? (
          <span className="row-actions">
            <Confirm
              label="Remove"
              title={`Remove ${row.name}?`}
              confirm="Remove"
              onConfirm={() => remove.mutate(row.userId)}
            >
              {row.email} loses access to every project of this organization at once, and their access tokens
              end.
            </Confirm>
          </span>
        ) : null,
    },
  ];
  return (
    <DataTable
      label="Members"
      phone={['name', 'role', 'second-factor']}
      columns={columns}
      rows={members}
      rowKey={({ userId: whom }) => whom}
    />
  );
}
