import { MAX_PAGE_SIZE, type StoredEvent } from '../../src/core/events/contract.ts';
import { EVENT_SORTS } from '../../src/core/events/order/contract.ts';
import { defineCommand } from '../command.ts';
import { columnsNamed, columnsThatFit } from '../list/columns.ts';
import { wholeNumber } from '../list/limit.ts';
import { parseSort, shownNote, sortOption, toSortQuery } from '../list/order.ts';
import type { Output } from '../output.ts';
import { projectOption, readOfProject } from '../project.ts';
import { usageError } from '../user-error.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';
import { eventColumns } from './columns.ts';
import { filterOption, parseFilterOption } from './filter.ts';

/** Events read at a time. */
const PAGE = 500;

const options = {
  ...projectOption,
  ...windowOptions,
  ...filterOption,
  ...sortOption(EVENT_SORTS),
  calls: { summary: 'Only calls, without other spans' },
  limit: {
    value: 'N',
    summary: 'Most events to list, 1 to 10000',
    short: 'n',
    type: wholeNumber(1, 10_000),
    default: '20',
  },
  columns: {
    value: 'NAMES',
    summary: `Columns of the table, separated by commas: ${eventColumns.map(({ header }) => header).join(', ')}`,
  },
  csv: { summary: 'Print CSV with all fields, as `events export` writes it' },
} as const;

export const eventsList = defineCommand({
  name: 'events list',
  summary: 'List events, newest first or in another order',
  options,
  examples: [
    'spanledger events list',
    "spanledger events list -f 'status:failed latency>2s' --start 24h -n 50",
    'spanledger events list --calls --sort cost',
    'spanledger events list --columns time,id,model,cost,user',
    'spanledger events list --calls --csv >calls.csv',
  ],
  run: async (ctx) => {
    const { output, options: given } = ctx;
    if (given.csv && (output.json || given.columns !== undefined))
      throw usageError(
        `--csv and ${output.json ? '--json' : '--columns'} cannot be combined`,
        'Choose one; CSV has all fields',
      );
    const named = given.columns === undefined ? null : columnsNamed(eventColumns, given.columns);
    const where = parseFilterOption(given.filter);
    const order = parseSort(given.sort, EVENT_SORTS);
    const now = Date.now();
    const bounds = parseWindow(given, now);
    const [{ metricsWindow }, { eventPages, firstEvents, remoteEventPages }] = await Promise.all([
      import('../../src/core/events/index.ts'),
      import('./pages.ts'),
    ]);
    const { calls, filter, limit } = given;
    const window = metricsWindow(bounds, now);
    const doc = await readOfProject<Awaited<ReturnType<typeof firstEvents>>>(ctx, given.project, {
      file: (app, scope) => {
        const query = { window, filters: { where }, calls, order, limit: Math.min(PAGE, limit + 1) };
        return firstEvents(eventPages(app, scope, query), limit);
      },
      server: (server, { id: projectId }) => {
        const bounds = toQuery({ start: window.from, end: window.to - 1 });
        const page = { ...toSortQuery(order), limit: Math.min(MAX_PAGE_SIZE, limit + 1) };
        return firstEvents(remoteEventPages(server, { projectId, ...bounds, filter, calls, ...page }), limit);
      },
    });
    if (given.csv) return printCsv(output, doc.events);
    output.result(doc, () => {
      const { events, more } = doc;
      if (events.length === 0) return output.line('No events in this window.');
      const columns = named ?? columnsThatFit(eventColumns, events, output.columns);
      output.table(columns, events);
      const notes = [
        more ? shownNote(order, events.length) : '',
        named || columns.some(({ header }) => header === 'id') ? '' : 'ids with --columns time,id,model,cost',
      ].filter((note) => note !== '');
      if (notes.length > 0) output.info(notes.join('; '));
    });
  },
});

const printCsv = async (output: Output, events: readonly StoredEvent[]): Promise<void> => {
  const { FORMATS } = await import('../../src/features/events/index.ts');
  output.raw(new TextDecoder().decode(await FORMATS.csv.open().write(events)));
};
