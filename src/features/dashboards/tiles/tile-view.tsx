import { type JSX, lazy, Suspense } from 'react';
import type { MetricsReply } from '../../../core/events/query/contract.ts';
import { DeletedMark } from '../../../core/events/widgets/deleted-note.tsx';
import { EventChart } from '../../../core/events/widgets/event-chart.tsx';
import { MetricFigure } from '../../../core/events/widgets/metric-figure.tsx';
import { UnpricedNote } from '../../../core/pricing/money.tsx';
import { byGroup } from '../../../dashboard/shell/metrics/by-group.ts';
import {
  dimensionOf,
  groupName,
  type NameOfValue,
} from '../../../dashboard/shell/metrics/dimension-names.ts';
import { measureLabel, measureOf } from '../../../dashboard/shell/metrics/names.ts';
import { timeOf } from '../../../dashboard/shell/metrics/tile-question.ts';
import { toChart } from '../../../dashboard/shell/metrics/to-chart.ts';
import type { MetricsAnswer } from '../../../dashboard/shell/metrics/use-many-metrics.ts';
import { pageFilter } from '../../../dashboard/shell/metrics/use-metrics.ts';
import { useValueNames } from '../../../dashboard/shell/metrics/use-value-names.ts';
import { useProjectId, useScope } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Kpis } from '../../../dashboard/ui/kpis.tsx';
import { LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { markOf } from '../../../lib/billing/cost-mark.ts';
import type { TileQuery } from './contract.ts';

const LatencyView = lazy(async () => ({
  default: (await import('../../../core/events/widgets/latency/latency-view.tsx')).LatencyView,
}));
const MatrixTable = lazy(async () => ({
  default: (await import('../../../core/events/widgets/matrix-table.tsx')).MatrixTable,
}));

type Props = {
  readonly query: TileQuery;
  readonly reply: MetricsReply;
  readonly title: string;
  /** Of the drawing, in pixels. */
  readonly height: number;
  readonly nameOf: NameOfValue;
};

/** What a tile shows, or why its query was refused. */
export function TileView({
  answer: { reply, error },
  ...tile
}: Omit<Props, 'reply' | 'nameOf'> & { readonly answer: MetricsAnswer }): JSX.Element {
  const nameOf = useValueNames(useProjectId(), tile.query.groupBy);
  if (reply === null)
    return (
      <Notice icon="errors" title="This tile cannot be read">
        {error}
      </Notice>
    );
  if (isEmpty(tile.query, reply)) return <Notice icon="chart" title="No calls in this time" />;
  return <Shown {...tile} reply={reply} nameOf={nameOf} />;
}

type NoteProps = { readonly query: TileQuery; readonly answer: MetricsAnswer | undefined };

/** What the figures of a tile leave out. Of a number, calls without a price are told below it. */
export function TileNote({ query, answer }: NoteProps): JSX.Element | null {
  const { total, deletedBefore, countedWhole } = answer?.reply ?? {};
  const { unpriced = 0, calls = 0 } = total ?? {};
  return (
    <>
      {query.kind !== 'number' && <UnpricedNote count={unpriced} of={calls} />}
      <DeletedMark before={deletedBefore} whole={countedWhole} />
    </>
  );
}

const isEmpty = ({ kind, groupBy }: TileQuery, { groups }: MetricsReply): boolean =>
  groupBy.length > 0 && ['bars', 'line', 'table', 'matrix'].includes(kind) && groups.length === 0;

function Shown(props: Props): JSX.Element {
  const { query, reply, title, height, nameOf } = props;
  const { kind, filter } = query;
  switch (kind) {
    case 'number':
      return <TileNumber {...props} />;
    case 'table':
      return <TileTable {...props} />;
    case 'matrix':
      return (
        <Suspense fallback={<LoadingRows rows={4} />}>
          <MatrixTable reply={reply} label={title} filter={filter} nameOf={nameOf} />
        </Suspense>
      );
    case 'histogram':
    case 'heatmap':
      return (
        <div className="chart-area">
          <Suspense fallback={<LoadingRows rows={4} />}>
            <LatencyView
              reply={reply}
              time={timeOf(query)}
              view={kind}
              label={title}
              height={height - 44 - (reply.histogram?.exact === false ? 36 : 0)}
              filter={filter}
            />
          </Suspense>
        </div>
      );
    default:
      return <TileChart {...props} />;
  }
}

function TileNumber({ query, title, reply: { total, recordedSince } }: Props): JSX.Element {
  const [measure = 'requests'] = query.measures;
  const value = total.values[measure] ?? null;
  const { label, kind, rising = 'neutral' } = measureOf(measure);
  const previous = total.previous?.values[measure];
  return (
    <Kpis
      recordedSince={recordedSince}
      kpis={[
        {
          id: measure,
          // The tile may be called so already.
          label: label === title ? '' : label,
          kind,
          value: value ?? 0,
          missing: value === null,
          mark: markOf(measure, value, total.unpriced),
          ...(total.unpriced && { aside: <UnpricedNote count={total.unpriced} of={total.calls ?? 0} /> }),
          rising,
          ...(typeof previous === 'number' && previous !== 0 && { previous }),
        },
      ]}
    />
  );
}

function TileChart({ query, reply, title, height, nameOf }: Props): JSX.Element {
  const { search } = useScope();
  const { filter, limit } = query;
  const chart = toChart(reply, {
    shape: query.kind === 'bars' ? 'bars' : 'lines',
    most: limit + 1,
    labelOf: measureLabel,
    nameOf: (key) => groupName(key, nameOf),
    ...(reply.groupBy.length > 0 && { drawer: byGroup }),
  });
  const hasLegend = chart.series.length > 1 || reply.previous !== undefined;
  const both = pageFilter(
    { params: { projectId: '', environment: undefined, filter: search.filter } },
    filter,
  );
  return (
    <div className="chart-area one-line-legend">
      <EventChart
        {...chart}
        shape={query.kind === 'bars' ? 'bars' : 'lines'}
        height={height - (hasLegend ? 76 : 44)}
        label={title}
        comparable
        drill={() => (both === '' ? {} : { filter: both })}
      />
    </div>
  );
}

type Row = MetricsReply['groups'][number];

function TileTable({ query, reply, title, nameOf }: Props): JSX.Element {
  const { groupBy, measures } = query;
  const columns: Column<Row>[] = [
    ...groupBy.map(
      (dimension, place): Column<Row> => ({
        id: dimension,
        header: dimensionOf(dimension).label,
        wide: place === 0,
        value: ({ key }) => key[dimension] ?? '',
        cell: ({ key }) => groupName({ [dimension]: key[dimension] ?? null }, nameOf),
      }),
    ),
    ...measures.map(
      (measure): Column<Row> => ({
        id: measure,
        header: measureOf(measure).label,
        align: 'right',
        value: ({ values }) => values[measure] ?? -1,
        cell: ({ values, unpriced }) => (
          <MetricFigure measure={measure} value={values[measure]} unpriced={unpriced} />
        ),
      }),
    ),
  ];
  const rows = groupBy.length === 0 ? [{ key: {}, ...reply.total }] : reply.groups;
  return (
    <DataTable
      label={title}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => JSON.stringify(key)}
      sort={{ id: measures[0] ?? '', desc: true }}
    />
  );
}
