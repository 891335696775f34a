import { LINE_SORTS } from '../../src/core/events/order/contract.ts';
import type { SessionsReply } from '../../src/features/sessions/contract.ts';
import { type CsvColumn, toCsv } from '../../src/lib/csv.ts';
import { defineCommand } from '../command.ts';
import { filterOption, parseFilterOption } from '../events/filter.ts';
import { money, number } from '../format.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';
import { firstRows } from '../list/first-rows.ts';
import { wholeNumber } from '../list/limit.ts';
import { parseSort, shownNote, sortOption, toSortQuery } from '../list/order.ts';
import { shortTime } from '../moment.ts';
import { projectOption, readOfProject } from '../project.ts';
import { compact, duration, tinted } from '../report/figures.ts';
import { usageError } from '../user-error.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';

type Session = SessionsReply['sessions'][number];

const PAGE = 200;

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
  { header: 'cost', value: ({ cost_usd }) => money(cost_usd) },
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
const csvColumns: readonly CsvColumn<Session>[] = FIELDS.map((header) => ({
  header,
  value: (session) => session[header],
}));

export const sessionsList = defineCommand({
  name: 'sessions list',
  summary: 'List the sessions with an event that matches, newest first or in another order',
  options: {
    ...projectOption,
    ...windowOptions,
    ...filterOption,
    ...sortOption(LINE_SORTS),
    limit: {
      value: 'N',
      summary: 'Most sessions to list, 1 to 1000',
      short: 'n',
      type: wholeNumber(1, 1_000),
      default: '20',
    },
    csv: { summary: 'Print CSV' },
  },
  examples: [
    'spanledger sessions list',
    "spanledger sessions list --filter 'user:maya status:failed' --start 7d",
  ],
  run: async (ctx) => {
    const { output, options } = ctx;
    if (options.csv && output.json) throw usageError('--csv and --json cannot be combined', 'Choose one');
    const { limit, filter } = options;
    const order = parseSort(options.sort, LINE_SORTS);
    const filters = { where: parseFilterOption(filter) };
    const now = Date.now();
    const bounds = parseWindow(options, now);
    const [{ eventsOf, metricsWindow }, { listSessionsEndpoint }] = await Promise.all([
      import('../../src/core/events/index.ts'),
      import('../../src/features/sessions/contract.ts'),
    ]);
    const window = metricsWindow(bounds, now);
    const found = await readOfProject<Session[]>(ctx, options.project, {
      file: (app, scope) =>
        firstRows(limit, async (cursor) => {
          const query = { filters, calls: false, window, limit: PAGE, order, cursor };
          const { sessions, nextCursor } = (await eventsOf(app).sessions(scope, query)).parse();
          return { rows: sessions, nextCursor };
        }),
      server: (server, { id: projectId }) => {
        const bounds = toQuery({ start: window.from, end: window.to - 1 });
        const query = { projectId, ...bounds, filter, kind: 'all', ...toSortQuery(order), limit: PAGE };
        return firstRows(limit, async (cursor) => {
          const asked = { query: { ...query, cursor: cursor ?? undefined } };
          const { sessions, nextCursor } = await server.get(listSessionsEndpoint, asked);
          return { rows: sessions, nextCursor };
        });
      },
    });
    const doc = { sessions: found.slice(0, limit), more: found.length > limit };
    if (options.csv) return output.raw(toCsv(csvColumns, doc.sessions));
    output.result(doc, () => {
      if (doc.sessions.length === 0) return output.line('No sessions in this window.');
      output.table(columnsThatFit(columns, doc.sessions, output.columns), doc.sessions);
      if (doc.more) output.info(shownNote(order, limit));
    });
  },
});
