import { callColumns } from '../../core/events/widgets/call-sums.tsx';
import { SessionLink, UserLink } from '../../core/events/widgets/person-link.tsx';
import type { SearchOf } from '../../dashboard/shell/scope/search.ts';
import type { Column } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { numberText } from '../../lib/figures.ts';
import type { SessionsReply } from './contract.ts';

type Session = SessionsReply['sessions'][number];

/** Columns of all sessions. `kept`: filters that the page of one takes along for the way back. */
export const sessionColumns = (zone: Zone, kept: SearchOf<'sessions'> = {}): Column<Session>[] => [
  {
    id: 'start',
    header: 'Started',
    sort: 'time',
    csv: { header: 'start', value: ({ start }) => start },
    cell: ({ start }) => timeText.second(start, zone),
  },
  {
    id: 'session',
    header: 'Session',
    wide: true,
    csv: { header: 'session_id', value: ({ session_id }) => session_id },
    cell: ({ session_id, errors }) => (
      <span className="marked">
        <SessionLink id={session_id} search={kept} className="row-link" />
        {errors > 0 && <span className="badge bad badge-after">{numberText(errors)} failed</span>}
      </span>
    ),
  },
  {
    id: 'traces',
    header: 'Traces',
    align: 'right',
    csv: { header: 'traces', value: ({ traces }) => traces },
    cell: ({ traces }) => numberText(traces),
  },
  {
    id: 'spans',
    header: 'Spans',
    sort: 'spans',
    align: 'right',
    csv: { header: 'spans', value: ({ spans }) => spans },
    cell: ({ spans }) => numberText(spans),
  },
  ...callColumns<Session>(),
  {
    id: 'errors',
    header: 'Failed',
    sort: 'errors',
    align: 'right',
    csv: { header: 'errors', value: ({ errors }) => errors },
    cell: ({ errors }) => (errors === 0 ? <span className="dim">–</span> : numberText(errors)),
  },
  {
    id: 'user',
    header: 'User',
    csv: { header: 'user_id', value: ({ user_id }) => user_id },
    cell: ({ user_id }) => (user_id === null ? <span className="dim">–</span> : <UserLink id={user_id} />),
  },
];

const RECENT = ['start', 'session', 'calls', 'cost', 'duration'];

/** Columns of all sessions that are shown unless somebody chooses others. */
export const USUAL_COLUMNS = ['start', 'session', 'traces', 'calls', 'tokens', 'cost', 'duration', 'user'];

/** Columns of one user's recent sessions. */
export const recentSessionColumns = (zone: Zone): Column<Session>[] =>
  sessionColumns(zone)
    .filter(({ id }) => RECENT.includes(id))
    .map(({ sort: _, ...column }) => column);
