import { SegmentedControl, Skeleton } from '@mantine/core';
import type { JSX } from 'react';
import { DeletedMark } from '../../../core/events/widgets/deleted-note.tsx';
import { LatencyView } from '../../../core/events/widgets/latency/latency-view.tsx';
import type { MetricsQuestion } from '../../../dashboard/shell/metrics/metrics-question.ts';
import { useMetrics } from '../../../dashboard/shell/metrics/use-metrics.ts';
import { type Scope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded } from '../../../dashboard/ui/states.tsx';

const VIEWS = { histogram: 'Histogram', heatmap: 'Over time' } as const;
const HEIGHT = 280;

/** How the times of the calls are distributed: all of them, or step by step. */
export function Distribution({ scope }: { scope: Scope<'performance'> }): JSX.Element {
  const setSearch = useSetSearch<'performance'>();
  const { search } = scope;
  const time = search.metric === 'ttft' ? 'ttft' : 'latency';
  const view = search.spread === 'heatmap' ? 'heatmap' : 'histogram';
  const question: MetricsQuestion = {
    measures: [`${time}P50`, `${time}P95`, `${time}P99`],
    histogram: time,
    ...(view === 'heatmap' && { bucket: 'auto' }),
  };
  const title = time === 'ttft' ? 'Time to first token' : 'Latency';
  const label = view === 'heatmap' ? `${title} over time, by range` : `${title} distribution`;
  const found = useMetrics(scope, question);
  return (
    <Panel
      title={`${title} distribution`}
      detail={
        <>
          on a logarithmic scale; a click opens the calls
          <DeletedMark before={found.data?.deletedBefore} />
        </>
      }
    >
      <Loaded of={found} loading={<Skeleton height={HEIGHT + 28} />}>
        {(reply) =>
          // While another view is read, the reply of the one before is still there.
          (reply.bucket === null) === (view === 'histogram') &&
          reply.measures[0]?.name === question.measures[0] ? (
            <LatencyView
              {...{ reply, time, view, label }}
              height={HEIGHT}
              card={{ title: label, kind: view, measures: [`${time}P95`] }}
            >
              <SegmentedControl
                size="xs"
                aria-label="Distribution"
                value={view}
                onChange={(value) =>
                  setSearch({ spread: value === 'histogram' ? undefined : value }, { replace: true })
                }
                data={Object.entries(VIEWS).map(([value, text]) => ({ value, label: text }))}
              />
            </LatencyView>
          ) : (
            <Skeleton height={HEIGHT + 28} />
          )
        }
      </Loaded>
    </Panel>
  );
}
