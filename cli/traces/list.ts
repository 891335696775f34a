import type { TraceLine } from '../../src/core/events/contract.ts';
import { knownCost, money, number } from '../format.ts';
import type { ListColumn } from '../list/columns.ts';
import { defineLineList } from '../list/lines.ts';
import { shortTime } from '../moment.ts';
import { compact, duration, tinted } from '../report/figures.ts';

/** Columns of lists of traces. */
export const traceColumns: readonly ListColumn<TraceLine>[] = [
  { header: 'start', value: ({ start }) => tinted(shortTime(Date.parse(start)), 'dim'), fixed: true },
  { header: 'id', value: ({ trace_id }) => trace_id, id: true },
  { header: 'name', value: ({ name }) => name },
  { header: 'spans', value: ({ spans }) => spans, rank: 2 },
  { header: 'calls', value: ({ llm_calls }) => llm_calls, rank: 3 },
  {
    header: 'errors',
    value: ({ errors }) => ({ ...number(errors), tone: errors > 0 ? 'bad' : 'plain' }),
    rank: 1,
  },
  {
    header: 'tokens',
    value: ({ input_tokens, output_tokens }) => compact(input_tokens + output_tokens),
    rank: 5,
  },
  { header: 'duration', value: ({ duration_ms }) => duration(duration_ms) },
  {
    header: 'cost',
    value: ({ cost_usd, unpriced, llm_calls }) => knownCost(money(cost_usd), { unpriced, calls: llm_calls }),
  },
  { header: 'user', value: ({ user_id }) => user_id, rank: 4 },
  { header: 'session', value: ({ session_id }) => session_id, rank: 6 },
];

const FIELDS = [
  'start',
  'trace_id',
  'name',
  'spans',
  'llm_calls',
  'errors',
  'duration_ms',
  'cost_usd',
  'unpriced',
  'input_tokens',
  'output_tokens',
  'user_id',
  'session_id',
] as const satisfies (keyof TraceLine)[];
/** `traces list`. */
export const tracesList = defineLineList<TraceLine>({
  noun: 'traces',
  examples: [
    'spanledger traces list',
    "spanledger traces list --filter 'status:failed user:maya' --start 7d",
    'spanledger traces list --sort cost --start 30d',
    'spanledger traces list --limit 500 --csv >traces.csv',
  ],
  columns: traceColumns,
  fields: FIELDS,
  file: async (app, scope, query) => {
    const { eventsOf } = await import('../../src/core/events/index.ts');
    const { traces: rows, nextCursor } = (await eventsOf(app).traces(scope, query)).parse();
    return { rows, nextCursor };
  },
  server: async (server, query) => {
    const { listTracesEndpoint } = await import('../../src/features/traces/contract.ts');
    const { traces: rows, nextCursor } = await server.get(listTracesEndpoint, { query });
    return { rows, nextCursor };
  },
});
