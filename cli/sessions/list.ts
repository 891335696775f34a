import type { SessionsReply } from '../../src/features/sessions/contract.ts';
import { knownCost, money, number } from '../format.ts';
import type { ListColumn } from '../list/columns.ts';
import { defineLineList } from '../list/lines.ts';
import { shortTime } from '../moment.ts';
import { compact, duration, tinted } from '../report/figures.ts';

type Session = SessionsReply['sessions'][number];

const columns: readonly ListColumn<Session>[] = [
  { header: 'end', value: ({ end }) => tinted(shortTime(Date.parse(end)), 'dim'), fixed: true },
  { header: 'session', value: ({ session_id }) => session_id, fixed: true },
  { header: 'user', value: ({ user_id }) => user_id },
  { header: 'traces', value: ({ traces }) => traces, rank: 2 },
  { header: 'calls', value: ({ llm_calls }) => llm_calls },
  {
    header: 'errors',
    value: ({ errors }) => ({ ...number(errors), tone: errors > 0 ? 'bad' : 'plain' }),
    rank: 1,
  },
  {
    header: 'tokens',
    value: ({ input_tokens, output_tokens }) => compact(input_tokens + output_tokens),
    rank: 3,
  },
  { header: 'length', value: ({ duration_ms }) => duration(duration_ms) },
  {
    header: 'cost',
    value: ({ cost_usd, unpriced, llm_calls }) => knownCost(money(cost_usd), { unpriced, calls: llm_calls }),
  },
];

const FIELDS = [
  'session_id',
  'user_id',
  'start',
  'end',
  'traces',
  'llm_calls',
  'errors',
  'cost_usd',
  'unpriced',
  'input_tokens',
  'output_tokens',
] as const satisfies (keyof Session)[];
/** `sessions list`. */
export const sessionsList = defineLineList<Session>({
  noun: 'sessions',
  examples: [
    'spanledger sessions list',
    "spanledger sessions list --filter 'user:maya status:failed' --start 7d",
  ],
  columns,
  fields: FIELDS,
  file: async (app, scope, query) => {
    const { eventsOf } = await import('../../src/core/events/index.ts');
    const { sessions: rows, nextCursor } = (await eventsOf(app).sessions(scope, query)).parse();
    return { rows, nextCursor };
  },
  server: async (server, query) => {
    const { listSessionsEndpoint } = await import('../../src/features/sessions/contract.ts');
    const { sessions: rows, nextCursor } = await server.get(listSessionsEndpoint, { query });
    return { rows, nextCursor };
  },
});
