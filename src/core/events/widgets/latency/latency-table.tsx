import type { JSX } from 'react';
import { ProjectLink } from '../../../../dashboard/shell/project-link.tsx';
import { useScope } from '../../../../dashboard/shell/scope/scope.ts';
import type { EventsSearch } from '../../../../dashboard/shell/scope/search.ts';
import { bucketText } from '../../../../dashboard/ui/charts/bucket-text.ts';
import css from '../../../../dashboard/ui/charts/chart.module.css';
import { type Column, DataTable } from '../../../../dashboard/ui/data-table.tsx';
import { numberText, percentText } from '../../../../lib/figures.ts';
import { binText } from '../../../../lib/ranges/bin-text.ts';
import type { Cell, LatencyProps } from './latency-props.tsx';

type Row = Cell & { readonly calls: number; readonly when: string };

/** The bins of a histogram, or of a heat map those of each step, that have calls. */
export function LatencyTable({
  reply,
  view,
  label,
  searchOf,
}: LatencyProps & { readonly searchOf: (cell: Cell) => EventsSearch }): JSX.Element {
  const { zone } = useScope();
  const { bounds = [], counts = [], series = [] } = reply.histogram ?? {};
  const all = counts.reduce((sum, calls) => sum + calls, 0);
  const rows =
    view === 'histogram'
      ? counts.map((calls, bin): Row => ({ bin, calls, when: '' }))
      : series
          .flatMap((step, place) =>
            step.map((calls, bin): Row => {
              const start = reply.steps[place]?.start ?? '';
              return { step: place, bin, calls, when: bucketText(start, reply.bucket ?? '1d', zone) };
            }),
          )
          .toReversed();
  const columns: Column<Row>[] = [
    ...(view === 'histogram'
      ? []
      : [{ id: 'when', header: 'Time', cell: ({ when }: Row) => when } satisfies Column<Row>]),
    {
      id: 'range',
      header: 'Took',
      wide: true,
      cell: ({ bin, step }) => (
        <ProjectLink page="events" search={searchOf({ bin, ...(step === undefined ? {} : { step }) })}>
          {binText(bounds, bin)}
        </ProjectLink>
      ),
    },
    { id: 'calls', header: 'Calls', align: 'right', cell: ({ calls }) => numberText(calls) },
    {
      id: 'share',
      header: 'Share',
      align: 'right',
      cell: ({ calls }) => percentText(calls / Math.max(1, all)),
    },
  ];
  return (
    <div className={css.chartTable}>
      <DataTable
        label={label}
        columns={columns}
        rows={rows.filter(({ calls }) => calls > 0)}
        rowKey={({ bin, step }) => `${step ?? ''} ${bin}`}
      />
    </div>
  );
}
