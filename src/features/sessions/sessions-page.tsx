import { type JSX, useMemo } from 'react';
import { SessionLink, UserLink } from '../../core/events/widgets/person-link.tsx';
import { Money } from '../../core/pricing/money.tsx';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { Page } from '../../dashboard/shell/page.tsx';
import { Paged } from '../../dashboard/shell/paged.tsx';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../dashboard/shell/use-pages.ts';
import { Chip } from '../../dashboard/ui/chip.tsx';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { Notice } from '../../dashboard/ui/states.tsx';
import { compactText, durationText, numberText } from '../../lib/figures.ts';
import type { listSessionsEndpoint, SessionsReply } from './contract.ts';

const listSessionsApi = endpointOf<typeof listSessionsEndpoint>('GET /v1/sessions');

type Session = SessionsReply['sessions'][number];

/** Conversations: the traces of one session together, newest first. */
export function SessionsPage(): JSX.Element {
  const { params, search, zone, every } = useScope('sessions');
  const setSearch = useSetSearch<'sessions'>();
  const pages = usePages(listSessionsApi, { query: { ...params, userId: search.userId } }, { every });
  const columns = useMemo(() => columnsFor(zone), [zone]);
  return (
    <Page title="Sessions">
      {search.userId !== undefined && (
        <div className="filters">
          <Chip label="User" onRemove={() => setSearch({ userId: undefined })}>
            {search.userId}
          </Chip>
        </div>
      )}
      <Paged
        pages={pages}
        rowsOf={(page) => page.sessions}
        more="Older sessions"
        live={every !== false}
        empty={
          search.userId !== undefined ? (
            <Notice icon="sessions" title="This user has no sessions in this time">
              Remove the filter or choose a longer range.
            </Notice>
          ) : (
            <Notice icon="sessions" title="No sessions in this time">
              Send a <code>session_id</code> with the events of a conversation.
            </Notice>
          )
        }
      >
        {(sessions) => (
          <DataTable
            label="Sessions"
            columns={columns}
            rows={sessions}
            rowKey={({ session_id }) => session_id}
          />
        )}
      </Paged>
    </Page>
  );
}

const columnsFor = (zone: Zone): Column<Session>[] => [
  { id: 'start', header: 'Started', cell: ({ start }) => timeText.second(start, zone) },
  {
    id: 'session',
    header: 'Session',
    wide: true,
    cell: ({ session_id, errors }) => (
      <>
        <SessionLink id={session_id} />
        {errors > 0 && <span className="badge bad badge-after">{numberText(errors)} failed</span>}
      </>
    ),
  },
  { id: 'traces', header: 'Traces', align: 'right', cell: ({ traces }) => numberText(traces) },
  { id: 'calls', header: 'Calls', align: 'right', cell: ({ llm_calls }) => numberText(llm_calls) },
  {
    id: 'tokens',
    header: 'Tokens',
    align: 'right',
    cell: ({ input_tokens, output_tokens }) => compactText(input_tokens + output_tokens),
  },
  {
    id: 'cost',
    header: 'Cost',
    align: 'right',
    amount: ({ cost_usd }) => cost_usd,
    cell: ({ cost_usd, unpriced, llm_calls }, write) =>
      llm_calls === 0 ? (
        <span className="dim">–</span>
      ) : (
        <Money usd={cost_usd} unpriced={unpriced} calls={llm_calls} write={write} />
      ),
  },
  { id: 'duration', header: 'Lasted', align: 'right', cell: ({ duration_ms }) => durationText(duration_ms) },
  {
    id: 'user',
    header: 'User',
    cell: ({ user_id }) => (user_id === null ? <span className="dim">–</span> : <UserLink id={user_id} />),
  },
];
