import { Drawer, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { WaterfallReply } from '../../core/events/contract.ts';
import { callKpis } from '../../core/events/widgets/call-sums.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { timeText } from '../../dashboard/ui/format.ts';
import { type Kpi, Kpis, LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, Notice } from '../../dashboard/ui/states.tsx';
import type { getWaterfallEndpoint } from './contract.ts';
import { SpanDetails } from './span-details.tsx';
import css from './trace-page.module.css';
import { Waterfall } from './waterfall.tsx';

const waterfallApi = endpointOf<typeof getWaterfallEndpoint>('GET /v1/traces/:traceId/waterfall');

const WIDE = '(min-width: 1180px)';

/** One trace: its spans on a time line with their costs, and the details of one. */
export function TracePage(): JSX.Element {
  const { projectId, zone } = useScope();
  const traceId = useParams({ from: '/projects/$projectId/traces/$traceId' }).traceId;
  const trace = useApi(waterfallApi, { params: { traceId }, query: { projectId } });
  if (trace.error?.status === 404)
    return (
      <Page title="Trace" scoped={false}>
        <Panel>
          <Notice icon="traces" title="There is no such trace in this project">
            Retention may have deleted its events.
          </Notice>
        </Panel>
      </Page>
    );
  return (
    <Page
      title="Trace"
      scoped={false}
      detail={<span className="mono dim clip">{traceId}</span>}
      actions={trace.data && <span className="dim num">{timeText.full(trace.data.trace.start, zone)}</span>}
    >
      <Loaded of={trace} loading={<Loading />}>
        {(data) => <Content data={data} />}
      </Loaded>
    </Page>
  );
}

const Loading = (): JSX.Element => (
  <div className="stack">
    <Panel flush>
      <LoadingKpis count={6} />
    </Panel>
    <Skeleton height={480} />
  </div>
);

function Content({ data }: { data: WaterfallReply }): JSX.Element {
  const { trace, spans } = data;
  const { search } = useScope('traces/$traceId');
  const setSearch = useSetSearch<'traces/$traceId'>();
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const select = (place: number | null): void =>
    setSearch({ span: place === null ? undefined : spans.span_id[place] }, { replace: true });
  const selected = search.span === undefined ? -1 : spans.span_id.indexOf(search.span);
  const shown = selected < 0 && wide ? 0 : selected;
  const details = shown >= 0 && <SpanDetails trace={data} place={shown} />;
  return (
    <div className="stack">
      <Panel flush>
        <Kpis kpis={toKpis(trace)} />
      </Panel>
      <div className={css.trace}>
        <Panel flush className="trace-tree">
          <Waterfall spans={spans} duration={trace.duration_ms} selected={shown} onSelect={select} />
          {trace.truncated && <p className="panel-note dim">Not all spans of this trace are shown.</p>}
        </Panel>
        {wide && (
          <Panel flush className={css.traceSide}>
            {details}
          </Panel>
        )}
      </div>
      {!wide && (
        <Drawer
          opened={selected >= 0}
          onClose={() => select(null)}
          position="right"
          size={640}
          padding={0}
          title={<span className="drawer-title">Span</span>}
          classNames={{ header: 'drawer-header', content: 'drawer-content' }}
        >
          {details}
        </Drawer>
      )}
    </div>
  );
}

const toKpis = (trace: WaterfallReply['trace']): Kpi[] => [
  { id: 'duration', label: 'Duration', kind: 'duration', value: trace.duration_ms },
  { id: 'spans', label: 'Spans', kind: 'count', value: trace.spans },
  { id: 'calls', label: 'Calls', kind: 'count', value: trace.llm_calls },
  ...callKpis(trace),
];
