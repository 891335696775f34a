import type { JSX } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { agoText, timeText, type Zone } from '../../dashboard/ui/format.ts';
import type { listTokensEndpoint, revokeTokenEndpoint, TokenRow } from './contract.ts';

const listTokensApi = endpointOf<typeof listTokensEndpoint>('GET /v1/access-tokens');
const revokeTokenApi = endpointOf<typeof revokeTokenEndpoint>('DELETE /v1/access-tokens/:id');

const STATES: Readonly<Record<TokenRow['state'], { label: string; tone: string }>> = {
  active: { label: 'Active', tone: 'good' },
  expired: { label: 'Expired', tone: '' },
  revoked: { label: 'Revoked', tone: '' },
  orphaned: { label: 'Creator left', tone: 'warn' },
};

/** The tokens with what they may do, and for admins the way to end them. */
export function TokenTable({ tokens }: { tokens: readonly TokenRow[] }): JSX.Element {
  const zone = useZone();
  const { may, organizationId } = useMember();
  const revoke = useChange<TokenRow>({
    failed: 'The token was not revoked',
    send: ({ id }) => send(revokeTokenApi, { params: { id }, query: { organizationId } }),
    stale: [listTokensApi],
    done: 'The token is revoked',
  });
  const columns: Column<TokenRow>[] = [
    ...columnsOf(zone),
    {
      id: 'actions',
      header: '',
      cell: (token) =>
        may('admin') && token.state !== 'revoked' ? (
          <span className="row-actions">
            <Confirm
              label="Revoke"
              title={`Revoke ${token.name}?`}
              confirm="Revoke token"
              onConfirm={() => revoke.mutate(token)}
            >
              The next request with this token is refused.
            </Confirm>
          </span>
        ) : null,
    },
  ];
  return <DataTable label="Access tokens" columns={columns} rows={tokens} rowKey={({ id }) => id} />;
}

function columnsOf(zone: Zone): Column<TokenRow>[] {
  const now = Date.now();
  return [
    {
      id: 'name',
      header: 'Name',
      wide: true,
      value: ({ name }) => name,
      cell: ({ name, prefix }) => (
        <>
          {name}
          <br />
          <span className="mono dim">{prefix}…</span>
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      value: ({ state }) => state,
      cell: ({ state }) => <span className={`badge ${STATES[state].tone}`}>{STATES[state].label}</span>,
    },
    {
      id: 'scopes',
      header: 'Scopes',
      cell: ({ scopes, projectName }) => (
        <>
          {scopes.join(', ')}
          <br />
          <span className="dim">{projectName === null ? 'in all projects' : `in ${projectName}`}</span>
        </>
      ),
    },
    {
      id: 'created',
      header: 'Created by',
      value: ({ createdBy }) => createdBy,
      cell: ({ createdBy, createdAt, role }) => (
        <>
          {createdBy}
          <br />
          <span className="dim">
            {role === null ? '' : `${role}, `}
            {timeText.date(createdAt, zone)}
          </span>
        </>
      ),
    },
    {
      id: 'used',
      header: 'Last used',
      value: ({ lastUsedAt }) => lastUsedAt ?? '',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className="dim">never</span> : agoText(lastUsedAt, now),
    },
    {
      id: 'expires',
      header: 'Expires',
      value: ({ expiresAt }) => expiresAt ?? '9',
      cell: ({ expiresAt }) =>
        expiresAt === null ? <span className="dim">never</span> : timeText.date(expiresAt, zone),
    },
  ];
}
