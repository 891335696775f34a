import type { JSX } from 'react';
import { MetricFigure } from '../../../core/events/widgets/metric-figure.tsx';
import { dimensionOf } from '../../../dashboard/shell/metrics/dimension-names.ts';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import type { AskReply, AskRow } from '../ask/contract.ts';
import { filterOfRow } from '../draft/answer-documents.ts';

type Figures = Pick<AskReply, 'rows' | 'measures' | 'query' | 'start' | 'end'>;

/** The rows of an answer; groups lead to their calls. */
export function AnswerTable({ figures }: { figures: Figures }): JSX.Element {
  const { rows, measures, query } = figures;
  const zone = useZone();
  const dimensions = query?.groupBy ?? [];
  const isCompared = rows.some(({ before }) => before !== null);
  const hasSteps = rows.some(({ kind }) => kind === 'step');
  const nameOf = (row: AskRow, dimension: string): string =>
    row.kind === 'others'
      ? 'All others'
      : row.kind === 'total'
        ? 'Total'
        : (row.key[dimension] ?? dimensionOf(dimension).none);
  const columns: Column<AskRow>[] = [
    ...(hasSteps
      ? [
          {
            id: 'time',
            header: 'Time',
            wide: true,
            cell: ({ time }: AskRow) => (time === null ? 'Total' : timeText.minute(time, zone)),
          },
        ]
      : []),
    ...dimensions.map(
      (dimension, place): Column<AskRow> => ({
        id: dimension,
        header: dimensionOf(dimension).label,
        wide: place === 0,
        cell: (row) =>
          row.kind === 'group' && place === 0 ? (
            <ProjectLink page="events" search={eventsOf(figures, row)}>
              {nameOf(row, dimension)}
            </ProjectLink>
          ) : row.kind === 'group' || place === 0 ? (
            nameOf(row, dimension)
          ) : null,
      }),
    ),
    ...(dimensions.length === 0 && !hasSteps
      ? [{ id: 'calls', header: 'Calls', wide: true, cell: () => 'All of the query' }]
      : []),
    ...measures.flatMap(({ name, label }): Column<AskRow>[] => [
      {
        id: name,
        header: label,
        align: 'right',
        cell: ({ values, unpriced }) => (
          <MetricFigure measure={name} value={values[name]} unpriced={unpriced} />
        ),
      },
      ...(isCompared
        ? ([
            {
              id: `${name} before`,
              header: 'Before',
              align: 'right',
              cell: ({ before, unpricedBefore }: AskRow) => (
                <MetricFigure measure={name} value={before?.[name]} unpriced={unpricedBefore} />
              ),
            },
            {
              id: `${name} change`,
              header: 'Change',
              align: 'right',
              cell: ({ change }: AskRow) => change?.[name] ?? '–',
            },
          ] as const)
        : []),
    ]),
  ];
  return (
    <DataTable
      label="Answer"
      columns={columns}
      rows={rows.filter(({ kind }) => kind !== 'total' || rows.length === 1)}
      footer={rows.length === 1 ? [] : rows.filter(({ kind }) => kind === 'total')}
      rowKey={({ kind, key, time }) => JSON.stringify([kind, key, time])}
    />
  );
}

const eventsOf = ({ query, start, end }: Figures, { key }: AskRow) => ({
  filter: filterOfRow(query?.filter, key, (dimension) => dimensionOf(dimension).field),
  ...(start === null ? {} : { range: undefined, start }),
  ...(end === null ? {} : { end }),
});
