import type { JSX } from 'react';
import { EventChart } from '../../../core/events/widgets/event-chart.tsx';
import { COLOURS, REST_COLOUR } from '../../../dashboard/ui/charts/time-chart.tsx';
import type { ChartBucket, ChartPoint, Series } from '../../../dashboard/ui/charts/time-series.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { FIGURES } from '../../../dashboard/ui/format.ts';
import { Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Notice } from '../../../dashboard/ui/states.tsx';
import type { TileFigures } from '../contract.ts';
import type { TileMeasure, TileQuery } from './contract.ts';
import { dimensionLabel, groupLabel, MEASURES } from './measures.tsx';

type Props = {
  readonly query: TileQuery;
  readonly figures: TileFigures;
  readonly title: string;
  /** Of the drawing, in pixels. */
  readonly height: number;
};

/** What a tile shows. */
export function TileView(props: Props): JSX.Element {
  const { query, figures } = props;
  if (figures.rows.length === 0) return <Notice icon="chart" title="No calls in this time" />;
  if (query.kind === 'number') return <TileNumber {...props} />;
  return query.kind === 'table' ? <TileTable {...props} /> : <TileChart {...props} />;
}

function TileNumber({ query, figures }: Props): JSX.Element {
  const [measure = 'requests'] = query.measures;
  const [row] = figures.rows;
  const value = row?.totals[0] ?? null;
  const { label, kind, rising = 'neutral' } = MEASURES[measure];
  const previous = row?.previous[0];
  return (
    <Kpis
      kpis={[
        {
          id: measure,
          label,
          kind,
          value: value ?? 0,
          missing: value === null,
          rising,
          ...(typeof previous === 'number' && previous !== 0 && { previous }),
        },
      ]}
    />
  );
}

function TileChart({ query, figures, title, height }: Props): JSX.Element {
  const { rows, times, bucket, others } = figures;
  const { groupBy, filter } = query;
  const series = rows.map(
    ({ group, measure }, place): Series => ({
      name: `s${place}`,
      label:
        groupBy.length === 0
          ? MEASURES[measure as TileMeasure].label
          : groupLabel(group, { groupBy, others }),
      color:
        groupBy.length > 0 && group.length === 0
          ? REST_COLOUR
          : (COLOURS[place % COLOURS.length] ?? REST_COLOUR),
    }),
  );
  const points = times.map(
    (time, at): ChartPoint => ({
      time,
      ...Object.fromEntries(rows.map(({ values }, place) => [`s${place}`, values[at] ?? null])),
    }),
  );
  const [measure = 'requests'] = query.measures;
  return (
    <div className="chart-area">
      <EventChart
        points={points}
        series={series}
        kind={MEASURES[measure].kind}
        bucket={bucket as ChartBucket}
        shape={query.kind === 'bars' ? 'bars' : 'lines'}
        height={height - (series.length > 1 ? 66 : 44)}
        label={title}
        drill={() => (filter === '' ? {} : { filter })}
      />
    </div>
  );
}

type Row = TileFigures['rows'][number];

function TileTable({ query, figures, title }: Props): JSX.Element {
  const { groupBy, measures } = query;
  const columns: Column<Row>[] = [
    ...groupBy.map(
      (dimension, place): Column<Row> => ({
        id: dimension,
        header: dimensionLabel(dimension),
        wide: place === 0,
        value: ({ group }) => group[place] ?? '',
        cell: ({ group }) => groupLabel([group[place] ?? null], { groupBy: [dimension], others: 0 }),
      }),
    ),
    ...measures.map(
      (measure, place): Column<Row> => ({
        id: measure,
        header: MEASURES[measure].label,
        align: 'right',
        value: ({ totals }) => totals[place] ?? 0,
        cell: ({ totals }) => {
          const value = totals[place];
          return typeof value === 'number' ? FIGURES[MEASURES[measure].kind].full(value) : '–';
        },
      }),
    ),
  ];
  return (
    <DataTable
      label={title}
      columns={columns}
      rows={figures.rows}
      rowKey={({ group }) => JSON.stringify(group)}
      sort={{ id: measures[0] ?? '', desc: true }}
    />
  );
}
