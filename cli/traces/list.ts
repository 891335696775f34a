import type { TraceLine } from '../../src/core/events/contract.ts';
import { LINE_SORTS } from '../../src/core/events/order/contract.ts';
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

const PAGE = 200;

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
  { header: 'cost', value: ({ cost_usd }) => money(cost_usd) },
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
const csvColumns: readonly CsvColumn<TraceLine>[] = FIELDS.map((header) => ({
  header,
  value: (trace) => trace[header],
}));

export const tracesList = defineCommand({
  name: 'traces list',
  summary: 'List the traces with an event that matches, newest first or in another order',
  options: {
    ...projectOption,
    ...windowOptions,
    ...filterOption,
    ...sortOption(LINE_SORTS),
    limit: {
      value: 'N',
      summary: 'Most traces to list, 1 to 1000',
      short: 'n',
      type: wholeNumber(1, 1_000),
      default: '20',
    },
    csv: { summary: 'Print CSV' },
  },
  examples: [
    'spanledger traces list',
    "spanledger traces list --filter 'status:failed user:maya' --start 7d",
    'spanledger traces list --sort cost --start 30d',
    'spanledger traces list --limit 500 --csv >traces.csv',
  ],
  run: async (ctx) => {
    const { output, options } = ctx;
    if (options.csv && output.json) throw usageError('--csv and --json cannot be combined', 'Choose one');
    const { limit } = options;
    const order = parseSort(options.sort, LINE_SORTS);
    const filters = { where: parseFilterOption(options.filter) };
    const now = Date.now();
    const bounds = parseWindow(options, now);
    const [{ eventsOf, metricsWindow }, { listTracesEndpoint }] = await Promise.all([
      import('../../src/core/events/index.ts'),
      import('../../src/features/traces/contract.ts'),
    ]);
    const window = metricsWindow(bounds, now);
    const traces = await readOfProject<TraceLine[]>(ctx, options.project, {
      file: (app, scope) =>
        firstRows(limit, async (cursor) => {
          const query = { filters, calls: false, window, limit: PAGE, order, cursor };
          const { traces, nextCursor } = (await eventsOf(app).traces(scope, query)).parse();
          return { rows: traces, nextCursor };
        }),
      server: (server, { id: projectId }) => {
        const bounds = toQuery({ start: window.from, end: window.to - 1 });
        const page = { ...toSortQuery(order), limit: PAGE };
        const query = { projectId, ...bounds, filter: options.filter, kind: 'all', ...page };
        return firstRows(limit, async (cursor) => {
          const asked = { query: { ...query, cursor: cursor ?? undefined } };
          const { traces, nextCursor } = await server.get(listTracesEndpoint, asked);
          return { rows: traces, nextCursor };
        });
      },
    });
    const doc = { traces: traces.slice(0, limit), more: traces.length > limit };
    if (options.csv) return output.raw(toCsv(csvColumns, doc.traces));
    output.result(doc, () => {
      if (doc.traces.length === 0) return output.line('No traces in this window.');
      output.table(columnsThatFit(traceColumns, doc.traces, output.columns), doc.traces);
      if (doc.more) output.info(shownNote(order, limit));
    });
  },
});
