import { Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { ThreadActions } from '../../core/comments/thread-actions.tsx';
import { callKpis } from '../../core/events/widgets/call-sums.tsx';
import { EventDrawer } from '../../core/events/widgets/event-drawer.tsx';
import { TargetScores } from '../../core/scores/target-scores.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { CopyId } from '../../dashboard/ui/copy-id.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { type Kpi, Kpis, LoadingKpis } from '../../dashboard/ui/kpis.tsx';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Failure, Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { numberText } from '../../lib/figures.ts';
import type { getSessionEndpoint, listSessionEventsEndpoint, SessionReply } from './contract.ts';
import { SessionBar } from './session-bar.tsx';
import { SessionTimeline } from './session-timeline.tsx';

const sessionEventsApi = endpointOf<typeof listSessionEventsEndpoint>('GET /v1/sessions/:sessionId/events');
const sessionApi = endpointOf<typeof getSessionEndpoint>('GET /v1/sessions/:sessionId');

/** With their content, which each call repeats. */
const PAGE_SIZE = 50;

/** One conversation from its start: each call with its time, model and cost. */
export function SessionPage(): JSX.Element {
  const sessionId = useParams({ from: '/projects/$projectId/sessions/$sessionId' }).sessionId;
  return <OneSession key={sessionId} sessionId={sessionId} />;
}

function OneSession({ sessionId }: { sessionId: string }): JSX.Element {
  const { projectId, zone, search } = useScope('sessions/$sessionId');
  const { userId, sort, order } = search;
  const session = useApi(sessionApi, { params: { sessionId }, query: { projectId } });
  return (
    <Page
      title="Session"
      back={
        <ProjectLink page="sessions" search={{ userId, sort, order }}>
          Sessions
        </ProjectLink>
      }
      scoped={false}
      detail={<CopyId id={sessionId} />}
      actions={
        session.data && (
          <>
            <When session={session.data.session} zone={zone} />
            <ThreadActions of={{ sessionId }} />
          </>
        )
      }
    >
      {session.error?.status === 404 ? (
        <Panel>
          <Notice icon="sessions" title="There is no such session in this project">
            Retention may have deleted its events.
          </Notice>
        </Panel>
      ) : (
        <Loaded of={session} loading={<Loading />}>
          {(data) => <Content data={data} />}
        </Loaded>
      )}
    </Page>
  );
}

const Loading = (): JSX.Element => (
  <div className="stack">
    <Panel flush>
      <LoadingKpis count={6} />
    </Panel>
    <Skeleton height={420} />
  </div>
);

const When = ({ session, zone }: { session: SessionReply['session']; zone: Zone }): JSX.Element => (
  <span className="dim num">{timeText.zoned(session.start, zone)}</span>
);

/** Who types is not searched for letter by letter. */
const PAUSE_MS = 250;

function Content({ data }: { data: SessionReply }): JSX.Element {
  const scope = useScope('sessions/$sessionId');
  const setSearch = useSetSearch<'sessions/$sessionId'>();
  const { session } = data;
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), PAUSE_MS);
  const isSearch = q !== '';
  // A session without calls shows its other spans.
  const kind = session.llm_calls === 0 || scope.search.kind === 'all' ? 'all' : undefined;
  const pages = usePages(sessionEventsApi, {
    params: { sessionId: session.session_id },
    query: { projectId: scope.projectId, kind, limit: PAGE_SIZE, ...(isSearch ? { q } : {}) },
  });
  const events = pages.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <div className="stack">
      <Panel flush>
        <Kpis kpis={toKpis(session)} />
      </Panel>
      <SessionBar session={session} kind={kind} text={text} onText={setText} />
      {data.truncated && (
        <p className="dim">{`Names and totals are shown for the first ${numberText(data.traces.length)} of ${numberText(session.traces)} traces.`}</p>
      )}
      <Panel flush className={pages.isPlaceholderData ? 'stale' : ''}>
        {pages.error !== null && pages.data === undefined ? (
          <Failure error={pages.error} retry={() => void pages.refetch()} />
        ) : pages.data === undefined ? (
          <LoadingRows rows={8} height={40} />
        ) : isSearch && events.length === 0 && !pages.hasNextPage ? (
          <Notice icon="search" title={`No ${kind === 'all' ? 'span' : 'call'} with this text`}>
            Names, models, errors, prompts and completions were searched.
          </Notice>
        ) : (
          <SessionTimeline
            events={events}
            isSearch={isSearch}
            traces={data.traces}
            session={session}
            zone={scope.zone}
            open={scope.search.event}
            onOpen={({ event_id, timestamp }) =>
              setSearch({ event: event_id, at: timestamp }, { replace: scope.search.event !== undefined })
            }
            pages={pages}
          />
        )}
      </Panel>
      <Panel flush>
        <TargetScores of={{ sessionId: session.session_id }} />
      </Panel>
      <EventDrawer
        scope={scope}
        events={events}
        onOpen={({ event_id, timestamp }) => setSearch({ event: event_id, at: timestamp }, { replace: true })}
      />
    </div>
  );
}

const toKpis = (session: SessionReply['session']): Kpi[] => [
  {
    id: 'duration',
    label: 'Duration',
    kind: 'duration',
    value: session.duration_ms,
    missing: session.duration_ms === 0,
  },
  { id: 'calls', label: 'Calls', kind: 'count', value: session.llm_calls },
  { id: 'traces', label: 'Traces', kind: 'count', value: session.traces },
  ...callKpis(session),
];
