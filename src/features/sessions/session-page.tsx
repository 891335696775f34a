import { SegmentedControl, Skeleton } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { ThreadActions } from '../../core/comments/thread-actions.tsx';
import { callKpis } from '../../core/events/widgets/call-sums.tsx';
import { EventDrawer } from '../../core/events/widgets/event-drawer.tsx';
import { UserLink } from '../../core/events/widgets/person-link.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { useFind } from '../../dashboard/shell/lists/use-find.ts';
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

/** The page has no search of its own. */
const NO_BOX = { current: null };

function Content({ data }: { data: SessionReply }): JSX.Element {
  const scope = useScope('sessions/$sessionId');
  const setSearch = useSetSearch<'sessions/$sessionId'>();
  const { session } = data;
  const isLookedFor = useFind(NO_BOX);
  // A session without calls shows its other spans.
  const hasOthers = session.llm_calls > 0 && session.spans > session.llm_calls;
  const kind = session.llm_calls === 0 || scope.search.kind === 'all' ? 'all' : undefined;
  const pages = usePages(sessionEventsApi, {
    params: { sessionId: session.session_id },
    query: { projectId: scope.projectId, kind, limit: PAGE_SIZE },
  });
  const events = pages.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <div className="stack">
      <Panel flush>
        <Kpis kpis={toKpis(session)} />
      </Panel>
      <div className="inline-form">
        {hasOthers && (
          <SegmentedControl
            size="xs"
            aria-label="Listed spans"
            value={kind ?? 'calls'}
            onChange={(value) => setSearch({ kind: value === 'all' ? 'all' : undefined }, { replace: true })}
            data={[
              { value: 'calls', label: 'Calls' },
              { value: 'all', label: 'All spans' },
            ]}
          />
        )}
        {session.user_id !== null && (
          <>
            <span className="dim">User</span>
            <span className="clip">
              <UserLink id={session.user_id} />
            </span>
          </>
        )}
        <Elsewhere session={session} />
      </div>
      {isLookedFor && (
        <p className="dim" role="status">
          The browser finds only the calls on the screen. Its events are searched under Events.
        </p>
      )}
      {data.truncated && (
        <p className="dim">{`Names and totals are shown for the first ${numberText(data.traces.length)} of ${numberText(session.traces)} traces.`}</p>
      )}
      <Panel flush className={pages.isPlaceholderData ? 'stale' : ''}>
        {pages.error !== null && pages.data === undefined ? (
          <Failure error={pages.error} retry={() => void pages.refetch()} />
        ) : pages.data === undefined ? (
          <LoadingRows rows={8} height={40} />
        ) : (
          <SessionTimeline
            events={events}
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
      <EventDrawer
        scope={scope}
        events={events}
        onOpen={({ event_id, timestamp }) => setSearch({ event: event_id, at: timestamp }, { replace: true })}
      />
    </div>
  );
}

/** Links to the traces and events of the session. */
function Elsewhere({ session }: { session: SessionReply['session'] }): JSX.Element {
  const search = {
    sessionId: session.session_id,
    start: session.start,
    end: session.end,
    range: undefined,
    environment: undefined,
  };
  return (
    <span className="filters-end arrival-links">
      <ProjectLink page="traces" search={search}>
        Traces
      </ProjectLink>
      <ProjectLink page="events" search={search}>
        Events
      </ProjectLink>
    </span>
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
