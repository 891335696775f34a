import { callColumns } from '../../core/events/widgets/call-sums.tsx';
import { SessionLink, UserLink } from '../../core/events/widgets/person-link.tsx';
import type { Column } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { numberText } from '../../lib/figures.ts';
import type { SessionsReply } from './contract.ts';

type Session = SessionsReply['sessions'][number];

/** Columns of all sessions. */
export const sessionColumns = (zone: Zone): Column<Session>[] => [
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
  ...callColumns<Session>(),
  {
    id: 'user',
    header: 'User',
    cell: ({ user_id }) => (user_id === null ? <span className="dim">–</span> : <UserLink id={user_id} />),
  },
];

const RECENT = ['start', 'session', 'calls', 'cost', 'duration'];

/** Columns of one user's recent sessions. */
export const recentSessionColumns = (zone: Zone): Column<Session>[] =>
  sessionColumns(zone).filter(({ id }) => RECENT.includes(id));
