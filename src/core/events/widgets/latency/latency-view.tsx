import { useNavigate } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { AddToDashboard } from '../../../../dashboard/shell/metrics/add-to-dashboard.tsx';
import { pageFilter } from '../../../../dashboard/shell/metrics/use-metrics.ts';
import { searchFrom } from '../../../../dashboard/shell/project-link.tsx';
import { stretchSearch, useScope } from '../../../../dashboard/shell/scope/scope.ts';
import type { EventsSearch } from '../../../../dashboard/shell/scope/search.ts';
import { binFilter } from '../../../../dashboard/ui/charts/bins.ts';
import { ChartHead } from '../../../../dashboard/ui/charts/chart-head.tsx';
import { HeatMap } from '../../../../dashboard/ui/charts/heat-map.tsx';
import { Histogram, type TimeMark } from '../../../../dashboard/ui/charts/histogram.tsx';
import { Notice } from '../../../../dashboard/ui/states.tsx';
import { numberText } from '../../../../lib/figures.ts';
import type { MetricsReply } from '../../query/contract.ts';
import type { Cell, LatencyProps } from './latency-props.tsx';
import { LatencyTable } from './latency-table.tsx';

/** A histogram of times or a heat map of it over time; a click leads to the calls of a bin. As a table too. */
export function LatencyView(props: LatencyProps): JSX.Element {
  const { reply, view, label, height, card, children } = props;
  const { zone } = useScope();
  const [asTable, setAsTable] = useState(false);
  const searchOf = useSearchOf(props);
  const navigate = useNavigate();
  const { projectId } = useScope();
  const { histogram, steps, bucket } = reply;
  if (histogram === undefined || histogram.counts.length === 0)
    return (
      <>
        {children}
        <Notice icon="performance" title={`No calls with a ${TIMES[props.time]} in this time`} />
      </>
    );
  const open = (cell: Cell): void =>
    void navigate({
      to: '/projects/$projectId/events',
      params: { projectId },
      search: (before) => searchFrom(before, { live: undefined, ...searchOf(cell) }),
    });
  const { bounds, counts, series = [], exact } = histogram;
  return (
    <>
      <ChartHead
        asTable={asTable}
        onSwitch={setAsTable}
        actions={card !== undefined && <AddToDashboard card={card} />}
      >
        {children}
      </ChartHead>
      {asTable ? (
        <LatencyTable {...props} searchOf={searchOf} />
      ) : view === 'histogram' ? (
        <Histogram
          {...{ bounds, counts, label, height }}
          marks={marksOf(reply)}
          onOpen={(bin) => open({ bin })}
        />
      ) : (
        <HeatMap
          {...{ bounds, series, label, height, zone }}
          points={steps.map(({ start, end }) => ({ time: start, end }))}
          bucket={bucket ?? '1d'}
          onOpen={open}
        />
      )}
      {!exact && (
        <p className="dim">
          Of {numberText(counts.reduce((sum, calls) => sum + calls, 0))} calls; counted from roll-ups, so a
          call whose time is within 1 % of a bound may be in the neighbouring range.
        </p>
      )}
    </>
  );
}

const TIMES = { latency: 'latency', ttft: 'time to first token' } as const;

/** What finds the calls of a cell. */
function useSearchOf({ reply, time, filter }: LatencyProps): (cell: Cell) => EventsSearch {
  const { range, search } = useScope();
  return ({ bin, step }) => {
    const own = binFilter(time, reply.histogram?.bounds ?? [], bin);
    const at = step === undefined ? undefined : reply.steps[step];
    return {
      ...(at === undefined ? {} : stretchSearch(Date.parse(at.start), Date.parse(at.end), range)),
      filter: pageFilter(
        { params: { ...NOTHING, filter: search.filter } },
        [filter, own].filter((part) => part).join(' '),
      ),
    };
  };
}
/** The environment goes along in the address by itself. */
const NOTHING = { projectId: '', environment: undefined };

const LABELS: Readonly<Record<string, string>> = { P50: 'Median', P90: 'p90', P95: 'p95', P99: 'p99' };

/** The percentiles of a reply. */
const marksOf = ({ measures, total }: MetricsReply): TimeMark[] =>
  measures.flatMap(({ name }) => {
    const [label, ms] = [LABELS[name.slice(-3)], total.values[name]];
    return label === undefined || typeof ms !== 'number' ? [] : [{ label, ms }];
  });
