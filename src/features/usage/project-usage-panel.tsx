import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../dashboard/ui/states.tsx';
import { countText, moneyText, numberText } from '../../lib/figures.ts';
import type { ProjectUsage, projectUsageEndpoint } from './contract.ts';

const projectUsageApi = endpointOf<typeof projectUsageEndpoint>('GET /v1/organizations/:id/usage/projects');

const columns: readonly Column<ProjectUsage>[] = [
  {
    id: 'name',
    header: 'Project',
    wide: true,
    value: ({ name }) => name,
    cell: ({ projectId, name }) => (
      <Link to="/projects/$projectId/costs" params={{ projectId }} className="row-link">
        {name}
      </Link>
    ),
  },
  {
    id: 'calls',
    header: 'Calls',
    align: 'right',
    value: ({ calls }) => calls,
    cell: ({ calls }) => numberText(calls),
  },
  {
    id: 'errors',
    header: 'Errors',
    align: 'right',
    value: ({ errors }) => errors,
    cell: ({ errors }) => numberText(errors),
  },
  {
    id: 'cost',
    header: 'Cost',
    align: 'right',
    value: ({ cost }) => cost,
    cell: ({ cost }) => moneyText(cost),
  },
  {
    id: 'unpriced',
    header: 'Unpriced calls',
    align: 'right',
    value: ({ unpriced }) => unpriced,
    cell: ({ unpriced }) => <span className={unpriced > 0 ? 'warn' : 'dim'}>{numberText(unpriced)}</span>,
  },
];

/** Calls and cost of each project of the organization, this month so far. */
export function ProjectUsagePanel({ organizationId }: { organizationId: string }): JSX.Element {
  const usage = useApi(projectUsageApi, { query: {}, params: { id: organizationId } });
  const rows = usage.data?.projects ?? [];
  const total = rows.reduce((sum, { cost }) => sum + cost, 0);
  return (
    <Panel
      title="By project"
      detail={usage.data && `${countText(rows.length, 'project')}, ${moneyText(total)} this month, UTC`}
      flush
    >
      <Loaded of={usage} loading={<LoadingRows rows={3} />}>
        {({ projects }) => (
          <DataTable
            label="Usage by project"
            columns={columns}
            rows={projects}
            rowKey={({ projectId }) => projectId}
          />
        )}
      </Loaded>
    </Panel>
  );
}
