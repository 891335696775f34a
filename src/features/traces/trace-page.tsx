import { Drawer, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { type JSX, useMemo, useState } from 'react';
import { ThreadActions } from '../../core/comments/thread-actions.tsx';
import type { WaterfallReply } from '../../core/events/contract.ts';
import { callKpis } from '../../core/events/widgets/call-sums.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { CopyId } from '../../dashboard/ui/copy-id.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { type Kpi, Kpis, LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, Notice } from '../../dashboard/ui/states.tsx';
import { AddTraces } from './add-traces.tsx';
import type { getWaterfallEndpoint } from './contract.ts';
import { criticalSegments, criticalSpans } from './critical-path.ts';
import { SpanDetails } from './span-details.tsx';
import { TraceBar } from './trace-bar.tsx';
import css from './trace-page.module.css';
import { Legend, TraceShares } from './trace-shares.tsx';
import { ancestors, failureOrigins } from './trace-tree.ts';
import { useFound } from './use-found.ts';
import { Waterfall } from './waterfall.tsx';

const waterfallApi = endpointOf<typeof getWaterfallEndpoint>('GET /v1/traces/:traceId/waterfall');

const WIDE = '(min-width: 1180px)';

/** One trace: its spans on a time line with their costs, and the details of one. */
export function TracePage(): JSX.Element {
  const { projectId, zone, search } = useScope('traces/$traceId');
  const traceId = useParams({ from: '/projects/$projectId/traces/$traceId' }).traceId;
  const setSearch = useSetSearch<'traces/$traceId'>();
  const trace = useApi(waterfallApi, { params: { traceId }, query: { projectId } });
  const { model, userId, sessionId, status, sort, order } = search;
  const back = (
    <ProjectLink page="traces" search={{ model, userId, sessionId, status, sort, order }}>
      Traces
    </ProjectLink>
  );
  if (trace.error?.status === 404)
    return (
      <Page title="Trace" back={back} scoped={false}>
        <Panel>
          <Notice icon="traces" title="There is no such trace in this project">
            Retention may have deleted its events.
          </Notice>
        </Panel>
      </Page>
    );
  return (
    <Page
      title={trace.data?.spans.name[0] || 'Trace'}
      back={back}
      scoped={false}
      detail={<CopyId id={traceId} />}
      actions={
        trace.data && (
          <>
            <span className="dim num">{timeText.full(trace.data.trace.start, zone)}</span>
            <AddTraces targets={[{ traceId, ...(search.span !== undefined && { spanId: search.span }) }]} />
            <ThreadActions
              of={{ traceId }}
              onSpan={(span) => setSearch({ span, comment: undefined }, { replace: true })}
            />
          </>
        )
      }
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
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [text, setText] = useState(search.q ?? '');
  const found = useFound(trace.trace_id, spans, text);
  const segments = useMemo(() => criticalSegments(spans, trace.duration_ms), [spans, trace]);
  const critical = useMemo(() => criticalSpans(spans, segments), [spans, segments]);
  const failures = useMemo(() => failureOrigins(spans), [spans]);
  const select = (place: number | null): void =>
    setSearch({ span: place === null ? undefined : spans.span_id[place] }, { replace: true });
  const go = (place: number): void => {
    const above = ancestors(spans, place);
    if (above.some((one) => folded.has(one)))
      setFolded(new Set([...folded].filter((one) => !above.includes(one))));
    select(place);
  };
  const selected = search.span === undefined ? -1 : spans.span_id.indexOf(search.span);
  const shown = selected < 0 && wide ? 0 : selected;
  const details = shown >= 0 && <SpanDetails trace={data} place={shown} onGo={go} />;
  return (
    <div className="stack">
      <Panel flush>
        <Kpis kpis={toKpis(trace)} />
      </Panel>
      <TraceShares spans={spans} segments={segments} duration={trace.duration_ms} onGo={go} />
      <div className={css.trace}>
        <Panel flush className="trace-tree">
          <TraceBar
            text={text}
            onText={(given) => {
              setText(given);
              setSearch({ q: given.trim() || undefined }, { replace: true });
            }}
            found={found}
            failures={failures}
            selected={shown}
            onGo={go}
            onFold={(all) => setFolded(all ? foldable(data) : new Set())}
          />
          <Waterfall
            spans={spans}
            duration={trace.duration_ms}
            selected={shown}
            onSelect={select}
            folded={folded}
            onFold={setFolded}
            critical={critical}
            found={found.set}
          />
          <Legend spans={spans} failed={failures.length > 0} />
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
          closeButtonProps={{ 'aria-label': 'Close' }}
          classNames={{ header: 'drawer-header', content: 'drawer-content' }}
        >
          {details}
        </Drawer>
      )}
    </div>
  );
}

/** All spans with others below them, but for the roots: what they hold stays in sight. */
const foldable = ({ spans: { below, depth } }: WaterfallReply): ReadonlySet<number> =>
  new Set(below.flatMap((count, place) => (count > 0 && (depth[place] ?? 0) > 0 ? [place] : [])));

const toKpis = (trace: WaterfallReply['trace']): Kpi[] => [
  {
    id: 'duration',
    label: 'Duration',
    kind: 'duration',
    value: trace.duration_ms,
    missing: trace.duration_ms === 0,
  },
  { id: 'spans', label: 'Spans', kind: 'count', value: trace.spans },
  { id: 'calls', label: 'Calls', kind: 'count', value: trace.llm_calls },
  ...callKpis(trace),
];
