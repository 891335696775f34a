import type { JSX } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useZone } from '../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { durationText } from '../../lib/figures.ts';
import type { IncidentSummary } from './contract.ts';
import { IncidentBadges } from './incident-badges.tsx';

const lasted = ({ startedAt, resolvedAt }: IncidentSummary): number =>
  (resolvedAt === null ? Date.now() : Date.parse(resolvedAt)) - Date.parse(startedAt);

/** Incidents, each with the way to its page. */
export function IncidentTable({ incidents }: { incidents: readonly IncidentSummary[] }): JSX.Element {
  const zone = useZone();
  const columns: Column<IncidentSummary>[] = [
    { id: 'number', header: '#', align: 'right', cell: ({ number }) => number },
    { id: 'state', header: 'State', cell: (row) => <IncidentBadges {...row} /> },
    {
      id: 'title',
      header: 'Title',
      wraps: true,
      cell: ({ id, title }) => (
        <ProjectLink page="incidents/$incidentId" params={{ incidentId: id }} className="row-link">
          {title}
        </ProjectLink>
      ),
    },
    { id: 'assignee', header: 'Assignee', cell: ({ assignee }) => assignee?.name ?? '–' },
    { id: 'started', header: 'Started', cell: ({ startedAt }) => timeText.minute(startedAt, zone) },
    { id: 'lasted', header: 'Duration', align: 'right', cell: (row) => durationText(lasted(row)) },
  ];
  return (
    <DataTable
      columns={columns}
      rows={incidents}
      rowKey={({ id }) => id}
      label="Incidents"
      phone={['title', 'state']}
    />
  );
}
