import { useNavigate } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { CreateAlert } from '../../../dashboard/shell/alerts/create-alert.tsx';
import { useChartMarks } from '../../../dashboard/shell/marks/use-chart-marks.tsx';
import { ProjectLink, searchFrom } from '../../../dashboard/shell/project-link.tsx';
import { bucketSearch, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import type { EventsSearch } from '../../../dashboard/shell/scope/search.ts';
import { ChartOrTable } from '../../../dashboard/ui/charts/time-chart.tsx';
import type { ChartPoint, ChartProps } from '../../../dashboard/ui/charts/time-series.ts';

type Props = Omit<ChartProps, 'zone' | 'onOpen' | 'onZoom' | 'timeOf' | 'marks' | 'ranges'> & {
  /** The filters of the events behind a point, beside its time. Null: no events lie behind it. */
  readonly drill?: (point: ChartPoint) => EventsSearch | null;
  /** What an alert on this chart would watch; without it the chart offers none. */
  readonly alert?: Parameters<typeof CreateAlert>[0] | undefined;
  readonly children?: ReactNode;
};

/**
 * A chart of events over time, with deployments and firing alerts. Each of its points leads to the events behind it; a
 * drag zooms in.
 */
export function EventChart({ drill = () => ({}), alert, ...chart }: Props): JSX.Element {
  const navigate = useNavigate();
  const setSearch = useSetSearch();
  const { projectId, zone, range } = useScope();
  const marks = useChartMarks();
  const searchOf = (point: ChartPoint): EventsSearch | null => {
    const filters = drill(point);
    return filters === null ? null : { ...bucketSearch(point.time, chart.bucket, range), ...filters };
  };
  const open = (point: ChartPoint): void => {
    const search = searchOf(point);
    if (search === null) return;
    void navigate({
      to: '/projects/$projectId/events',
      params: { projectId },
      search: (before) => searchFrom(before, { live: undefined, ...search }),
    });
  };
  const zoom = (from: ChartPoint, to: ChartPoint): void => {
    const { start } = bucketSearch(from.time, chart.bucket, range);
    const { end } = bucketSearch(to.time, chart.bucket, range);
    setSearch({ start, end, range: undefined, live: undefined });
  };
  const timeOf = (point: ChartPoint, text: string): ReactNode => {
    const search = searchOf(point);
    return search === null ? (
      text
    ) : (
      <ProjectLink page="events" search={search}>
        {text}
      </ProjectLink>
    );
  };
  return (
    <ChartOrTable
      {...chart}
      {...marks}
      zone={zone}
      onOpen={open}
      onZoom={zoom}
      timeOf={timeOf}
      actions={alert !== undefined && <CreateAlert {...alert} />}
    />
  );
}
