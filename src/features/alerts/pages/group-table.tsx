import { Button } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useMember } from '../../../dashboard/shell/member.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { agoText, timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import type { GroupState } from '../contract.ts';
import { figureText } from '../notify/texts.ts';
import { AlertFigure } from './alert-figure.tsx';
import type { ShownAlert } from './alerts-api.ts';
import { reasonText } from './reasons.ts';
import { SilenceDialog } from './silence-dialog.tsx';
import { StateBadge } from './state-badge.tsx';

/** The groups of an alert that are not ok, with their values and the way to silence one. */
export function GroupTable({ alert }: { readonly alert: ShownAlert }): JSX.Element {
  const zone = useZone();
  const { may } = useMember();
  const [silenced, setSilenced] = useState<string | null>(null);
  const columns: Column<GroupState>[] = [
    ...columnsOf(alert, zone),
    {
      id: 'actions',
      header: '',
      cell: ({ group, silencedUntil }) =>
        may('member') &&
        group !== null &&
        silencedUntil === null && (
          <span className="row-actions">
            <Button variant="default" size="compact-xs" onClick={() => setSilenced(group)}>
              Silence
            </Button>
          </span>
        ),
    },
  ];
  return (
    <>
      <DataTable label="Groups" columns={columns} rows={alert.states} rowKey={({ group }) => group ?? ' '} />
      {silenced !== null && (
        <SilenceDialog
          of={{ alertId: alert.id, group: silenced }}
          title={`Silence ${silenced === '' ? 'calls without a value' : silenced}`}
          onClose={() => setSilenced(null)}
        />
      )}
    </>
  );
}

const columnsOf = (
  { measure, groupBy = null, filters = {} }: ShownAlert,
  zone: Zone,
): Column<GroupState>[] => [
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'group',
    header: groupBy === null ? 'Calls' : 'Group',
    wide: true,
    value: ({ group }) => group ?? '',
    cell: ({ group }) => <GroupName groupBy={groupBy} group={group} filter={filters.filter} />,
  },
  {
    id: 'value',
    header: 'Value',
    align: 'right',
    value: ({ value }) => value ?? -1,
    cell: (state) => <AlertFigure measure={measure} of={state} />,
  },
  {
    id: 'threshold',
    header: 'Threshold',
    align: 'right',
    cell: ({ threshold, baseline }) => (
      <>
        {threshold === null ? <span className="dim">–</span> : figureText(measure, threshold)}
        {baseline !== null && (
          <>
            <br />
            <span className="dim">usually {figureText(measure, baseline)}</span>
          </>
        )}
      </>
    ),
  },
  {
    id: 'since',
    header: 'Since',
    value: ({ since }) => since,
    cell: ({ since, reason, silencedUntil }) => (
      <>
        <span title={timeText.full(since, zone)}>{agoText(since, Date.now())}</span>
        {(reason !== null || silencedUntil !== null) && <br />}
        <span className="dim">
          {silencedUntil !== null
            ? `silenced until ${timeText.minute(silencedUntil, zone)}`
            : reason !== null && reasonText(reason)}
        </span>
      </>
    ),
  },
];

/** Fields of the filter language by dimension; tags are `tag.NAME`. */
const fieldOf = (dimension: string): string =>
  dimension.startsWith('tag:') ? `tag.${dimension.slice(4)}` : dimension;

type NameProps = {
  readonly groupBy: string | null;
  readonly group: string | null;
  readonly filter: string | undefined;
};

/** A group as a link to its events. */
export function GroupName({ groupBy, group, filter = '' }: NameProps): JSX.Element {
  const term =
    groupBy === null || group === null
      ? ''
      : group === ''
        ? `-${fieldOf(groupBy)}:*`
        : termOf(fieldOf(groupBy), group, false);
  const text = group === null ? 'All calls' : group === '' ? 'none' : group;
  return (
    <ProjectLink page="events" search={{ filter: `${filter} ${term}`.trim() || undefined }} title={text}>
      {text}
    </ProjectLink>
  );
}
