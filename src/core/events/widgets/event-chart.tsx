import { useNavigate } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { CreateAlert } from '../../../dashboard/shell/alerts/create-alert.tsx';
import { useChartMarks } from '../../../dashboard/shell/marks/use-chart-marks.tsx';
import { AddToDashboard } from '../../../dashboard/shell/metrics/add-to-dashboard.tsx';
import type { Card } from '../../../dashboard/shell/metrics/card.ts';
import { CompareSwitch } from '../../../dashboard/shell/metrics/compare-switch.tsx';
import { ProjectLink, searchFrom } from '../../../dashboard/shell/project-link.tsx';
import { stretchSearch, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import type { EventsSearch, WindowSearch } from '../../../dashboard/shell/scope/search.ts';
import type { ChartPoint, Series } from '../../../dashboard/ui/charts/chart-data.ts';
import { ChartOrTable } from '../../../dashboard/ui/charts/time-chart.tsx';
import { type ChartProps, endOfPoint } from '../../../dashboard/ui/charts/time-series.ts';

type Props = Omit<ChartProps, 'zone' | 'onOpen' | 'onZoom' | 'timeOf' | 'marks' | 'ranges'> & {
  /** The filters of the events behind a point, beside its time. Null: no events lie behind it. */
  readonly drill?: (point: ChartPoint) => EventsSearch | null;
  /** What an alert on this chart would watch; without it the chart offers none. */
  readonly alert?: Parameters<typeof CreateAlert>[0] | undefined;
  /** Whether the chart can be compared with the previous period. */
  readonly comparable?: boolean;
  /** What the chart shows as a card of a dashboard; without it the chart offers none. */
  readonly card?: Card | undefined;
  readonly children?: ReactNode;
};

/**
 * A chart of events over time, with deployments and firing alerts. Each of its points leads to the events behind it,
 * and each part of a stack to those of its group; a drag zooms in.
 */
export function EventChart({ drill = () => ({}), alert, comparable, card, ...chart }: Props): JSX.Element {
  const navigate = useNavigate();
  const setSearch = useSetSearch();
  const { projectId, zone, range, search: page } = useScope();
  const marks = useChartMarks();
  const stretchOf = (from: ChartPoint, to: ChartPoint): WindowSearch =>
    stretchSearch(Date.parse(from.time), endOfPoint(to, chart.bucket), range);
  const searchOf = (point: ChartPoint): EventsSearch | null => {
    const filters = drill(point);
    return filters === null ? null : { ...stretchOf(point, point), ...filters };
  };
  const open = (point: ChartPoint, hit?: Series): void => {
    const search = searchOf(point);
    if (search === null) return;
    const filter = [search.filter ?? page.filter, hit?.filter].filter(Boolean).join(' ');
    void navigate({
      to: '/projects/$projectId/events',
      params: { projectId },
      search: (before) =>
        searchFrom(before, { live: undefined, ...search, ...(filter !== '' && { filter }) }),
    });
  };
  const zoom = (from: ChartPoint, to: ChartPoint): void =>
    setSearch({ ...stretchOf(from, to), live: undefined });
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
      actions={
        <>
          {comparable && <CompareSwitch />}
          {card !== undefined && <AddToDashboard card={card} />}
          {alert !== undefined && <CreateAlert {...alert} />}
        </>
      }
    />
  );
}
