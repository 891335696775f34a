import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import type { DomainRow, getDomainsEndpoint } from './contract.ts';

const domainsApi = endpointOf<typeof getDomainsEndpoint>('GET /v1/organizations/:id/domains');

const COLUMNS: Column<DomainRow>[] = [
  { id: 'domain', header: 'Domain', wide: true, cell: ({ domain }) => domain },
  {
    id: 'provider',
    header: 'Provider',
    cell: ({ provider, providerName }) =>
      providerName ?? (
        <>
          {provider} <span className="badge bad">not configured</span>
        </>
      ),
  },
  { id: 'role', header: 'Role', cell: ({ role }) => role },
  {
    id: 'sso',
    header: 'Other sign-ins',
    cell: ({ ssoRequired }) => (ssoRequired ? <span className="badge accent">refused</span> : 'allowed'),
  },
];

/** The domains whose people join by single sign-on. The operator sets them; without any, nothing is shown. */
export function Domains({ organizationId }: { organizationId: string }): JSX.Element | null {
  const { data } = useApi(domainsApi, { params: { id: organizationId } });
  if (data === undefined || data.domains.length === 0) return null;
  return (
    <Panel title="Single sign-on" flush>
      <p className="panel-body dim">
        People with an address of these domains join at their first sign-in with the provider. Your operator
        changes this on the command line.
      </p>
      <DataTable label="Domains" columns={COLUMNS} rows={data.domains} rowKey={({ domain }) => domain} />
    </Panel>
  );
}
