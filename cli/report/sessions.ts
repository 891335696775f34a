import type { SessionsReply } from '../../src/features/sessions/contract.ts';
import { type Cell, knownCost, number } from '../format.ts';
import { shortTime } from '../moment.ts';
import type { Column } from '../output.ts';
import { defineReport, type ReadReport } from './define-report.ts';
import { duration, moneyColumn, tinted } from './figures.ts';
import { section } from './pieces.ts';

type Session = SessionsReply['sessions'][number];

/** A page of `GET /v1/sessions`, the first one by default. */
const loadRead = async (): Promise<ReadReport<SessionsReply>> => {
  const [{ eventsOf }, { DEFAULT_PAGE_SIZE }] = await Promise.all([
    import('../../src/core/events/index.ts'),
    import('../../src/core/events/contract.ts'),
  ]);
  return async (ctx, scope, { filters, window }, page) => {
    const { cursor, limit } = page ?? { cursor: null, limit: DEFAULT_PAGE_SIZE };
    const query = { filters, window, calls: false, cursor, limit };
    return (await eventsOf(ctx).sessions(scope, query)).parse();
  };
};

const failures = (count: number): Cell => ({ ...number(count), tone: count > 0 ? 'bad' : 'plain' });

export const reportSessions = defineReport<SessionsReply, SessionsReply, Session>({
  name: 'sessions',
  summary: 'The latest sessions, with their traces, calls and cost',
  load: loadRead,
  ask: async (server, query) =>
    server.get((await import('../../src/features/sessions/contract.ts')).listSessionsEndpoint, {
      query: { ...query, kind: 'all' },
    }),
  calls: ({ sessions }) => sessions.length,
  see: (doc) => doc,
  render: (output, { sessions, nextCursor }) => {
    const cost = moneyColumn(sessions.map(({ cost_usd }) => cost_usd));
    const columns: Column<Session>[] = [
      { header: 'session', value: ({ session_id }) => session_id },
      { header: 'user', value: ({ user_id }) => user_id ?? '' },
      { header: 'traces', value: ({ traces }) => traces },
      { header: 'calls', value: ({ llm_calls }) => llm_calls },
      { header: 'errors', value: ({ errors }) => failures(errors) },
      {
        header: 'cost',
        value: ({ cost_usd, unpriced, llm_calls }) =>
          knownCost({ ...cost(cost_usd), tone: 'accent' }, { unpriced, calls: llm_calls }),
      },
      { header: 'length', value: ({ duration_ms }) => duration(duration_ms) },
      { header: 'end', value: ({ end }) => tinted(shortTime(Date.parse(end)), 'dim'), fixed: true },
    ];
    section(output, 'Newest first', nextCursor === null ? 'UTC' : `latest ${sessions.length}, UTC`);
    output.table(columns, sessions);
  },
  csv: {
    columns: [
      { header: 'session_id', value: ({ session_id }) => session_id },
      { header: 'user_id', value: ({ user_id }) => user_id },
      { header: 'start', value: ({ start }) => start },
      { header: 'end', value: ({ end }) => end },
      { header: 'traces', value: ({ traces }) => traces },
      { header: 'llm_calls', value: ({ llm_calls }) => llm_calls },
      { header: 'errors', value: ({ errors }) => errors },
      {
        header: 'cost_usd',
        value: ({ cost_usd, unpriced, llm_calls }) =>
          unpriced > 0 && unpriced >= llm_calls ? null : cost_usd,
      },
      { header: 'unpriced', value: ({ unpriced }) => unpriced },
      { header: 'input_tokens', value: ({ input_tokens }) => input_tokens },
      { header: 'output_tokens', value: ({ output_tokens }) => output_tokens },
    ],
    rows: ({ sessions }) => sessions,
    next: ({ nextCursor }) => nextCursor,
  },
});
