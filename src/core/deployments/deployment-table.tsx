import type { JSX } from 'react';
import { send } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useMember } from '../../dashboard/shell/member.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useProjectId, useZone } from '../../dashboard/shell/scope/scope.ts';
import { useChange } from '../../dashboard/shell/use-change.ts';
import { Confirm } from '../../dashboard/ui/confirm.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { termOf } from '../../lib/filter-terms.ts';
import type { deleteDeploymentEndpoint, listDeploymentsEndpoint } from './contract.ts';
import { EFFECT_COLUMNS, type Listed } from './effect-cells.tsx';

const listDeploymentsApi = endpointOf<typeof listDeploymentsEndpoint>('GET /v1/deployments');
const deleteDeploymentApi = endpointOf<typeof deleteDeploymentEndpoint>('DELETE /v1/deployments/:id');

/** Deployments with their figures, and for members the way to delete one. */
export function DeploymentTable({ deployments }: { readonly deployments: readonly Listed[] }): JSX.Element {
  const zone = useZone();
  const projectId = useProjectId();
  const { may } = useMember();
  const remove = useChange<Listed>({
    failed: 'The deployment was not deleted',
    send: ({ id }) => send(deleteDeploymentApi, { params: { id }, query: { projectId } }),
    stale: [listDeploymentsApi],
    done: 'The deployment is deleted',
  });
  const columns: Column<Listed>[] = [
    ...columnsOf(zone),
    ...EFFECT_COLUMNS,
    {
      id: 'actions',
      header: '',
      cell: (deployment) =>
        may('member') && (
          <span className="row-actions">
            <Confirm
              label="Delete"
              title={`Delete the deployment of ${deployment.release}?`}
              confirm="Delete deployment"
              onConfirm={() => remove.mutate(deployment)}
            >
              Charts no longer show it. Its events stay.
            </Confirm>
          </span>
        ),
    },
  ];
  return (
    <DataTable
      label="Deployments"
      phone={['release', 'environment', 'costPerCall', 'latencyP50']}
      columns={columns}
      rows={deployments}
      rowKey={({ id }) => id}
    />
  );
}

const columnsOf = (zone: Zone): Column<Listed>[] => [
  {
    id: 'at',
    header: 'Time',
    value: ({ at }) => at,
    cell: ({ at, source }) => (
      <>
        {timeText.minute(at, zone)}
        <br />
        <span
          className="dim"
          title={source === 'observed' ? 'Its first event; nobody reported it' : undefined}
        >
          {source === 'observed' ? 'first event' : 'reported'}
        </span>
      </>
    ),
  },
  {
    id: 'release',
    header: 'Release',
    wide: true,
    value: ({ release }) => release,
    cell: (deployment) => <Release {...deployment} />,
  },
  {
    id: 'environment',
    header: 'Environment',
    value: ({ environment }) => environment,
    cell: ({ environment }) => environment,
  },
];

/** The release as a link to its events, with what was reported of it. */
function Release({ release, environment, title, commit, url }: Listed): JSX.Element {
  const about = title ?? commit;
  return (
    <>
      <ProjectLink
        page="events"
        search={{ environment, filter: termOf('release', release, false) }}
        title={`Events of ${release}`}
        className="row-link"
      >
        {release}
      </ProjectLink>
      <br />
      <span className="dim clip">
        {about}
        {/* The contract admits only links of the web. */}
        {url !== null && /^https?:/.test(url) && (
          <>
            {about !== null && ' · '}
            <a href={url} target="_blank" rel="noreferrer noopener" title={url}>
              {about === null ? 'Link' : 'open'}
            </a>
          </>
        )}
      </span>
    </>
  );
}
