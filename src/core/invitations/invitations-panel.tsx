import { Button, TextInput } from '@mantine/core';
import { type JSX, useState } from 'react';
import { send, useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { SecretOnce } from '../../dashboard/ui/secret-once.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { useSubmit } from '../../dashboard/ui/use-submit.ts';
import type {
  CreatedInvitation,
  deleteInvitationEndpoint,
  getInvitationsEndpoint,
  InvitationRow,
  postInvitationEndpoint,
} from './contract.ts';
import { RoleSelect } from './role-select.tsx';

const invitationsApi = endpointOf<typeof getInvitationsEndpoint>('GET /v1/organizations/:id/invitations');
const inviteApi = endpointOf<typeof postInvitationEndpoint>('POST /v1/organizations/:id/invitations');
const revokeApi = endpointOf<typeof deleteInvitationEndpoint>(
  'DELETE /v1/organizations/:id/invitations/:invitationId',
);

/** The invitations of an organization. A link that is not mailed is shown once. */
export function Invitations({ organizationId }: { organizationId: string }): JSX.Element {
  const invitations = useApi(invitationsApi, { params: { id: organizationId } });
  const [made, setMade] = useState<CreatedInvitation | null>(null);
  return (
    <Panel title="Invitations" flush>
      <div className="panel-body form">
        <Invite organizationId={organizationId} onMade={setMade} />
        {made?.url != null && (
          <>
            <p>Share this link with the person you invite. It is shown only once:</p>
            <SecretOnce value={made.url} />
          </>
        )}
        {made !== null && made.url === null && <p role="status">The invitation was sent to {made.email}.</p>}
      </div>
      <Loaded of={invitations} loading={<LoadingRows rows={1} />}>
        {(data) =>
          data.invitations.length === 0 ? null : (
            <List invitations={data.invitations} organizationId={organizationId} />
          )
        }
      </Loaded>
    </Panel>
  );
}

type InviteProps = {
  readonly organizationId: string;
  readonly onMade: (made: CreatedInvitation) => void;
};

function Invite({ organizationId, onMade }: InviteProps): JSX.Element {
  const [role, setRole] = useState<InvitationRow['role']>('member');
  const invite = useChange<string>({
    failed: 'The invitation was not created',
    send: async (email) => {
      const body = { role, ...(email === '' ? {} : { email }) };
      onMade(await send(inviteApi, { params: { id: organizationId }, body }));
    },
    stale: [invitationsApi],
  });
  const { busy, onSubmit } = useSubmit(async ({ email = '' }) => {
    await invite.mutateAsync(email.trim()).catch(() => undefined);
  });
  return (
    <form onSubmit={onSubmit} className="inline-form">
      <TextInput
        name="email"
        type="email"
        aria-label="Email"
        placeholder="Email; empty for an open link"
        size="xs"
        w={260}
      />
      <RoleSelect
        label="Role"
        role={role}
        roles={['admin', 'member', 'viewer']}
        onChange={(chosen) => chosen !== 'owner' && setRole(chosen)}
      />
      <Button type="submit" size="xs" loading={busy}>
        Invite
      </Button>
    </form>
  );
}

type ListProps = { readonly invitations: readonly InvitationRow[]; readonly organizationId: string };

function List({ invitations, organizationId }: ListProps): JSX.Element {
  const zone = useZone();
  const revoke = useChange<string>({
    failed: 'The invitation was not revoked',
    send: (invitationId) => send(revokeApi, { params: { id: organizationId, invitationId } }),
    stale: [invitationsApi],
    done: 'The invitation is revoked',
  });
  const columns: Column<InvitationRow>[] = [
    {
      id: 'email',
      header: 'For',
      wide: true,
      cell: ({ email }) => email ?? <span className="dim">anyone with the link</span>,
    },
    { id: 'role', header: 'Role', cell: ({ role }) => role },
    {
      id: 'state',
      header: 'State',
      cell: ({ state }) => <span className={`badge ${state === 'open' ? 'accent' : ''}`}>{state}</span>,
    },
    { id: 'until', header: 'Valid until', cell: ({ expiresAt }) => timeText.minute(expiresAt, zone) },
    {
      id: 'actions',
      header: '',
      cell: ({ id, state }) =>
        state === 'open' ? (
          <Button variant="default" size="compact-xs" onClick={() => revoke.mutate(id)}>
            Revoke
          </Button>
        ) : null,
    },
  ];
  return <DataTable label="Invitations" columns={columns} rows={invitations} rowKey={({ id }) => id} />;
}
