import type { Ctx } from '../../src/context.ts';
import { LINE_SORTS, type LineSort, type Order } from '../../src/core/events/order/contract.ts';
import type { EventScope } from '../../src/core/tenancy/index.ts';
import { type CsvColumn, toCsv } from '../../src/lib/csv.ts';
import { defineCommand } from '../command.ts';
import { filterOption, parseFilterOption } from '../events/filter.ts';
import { projectOption, readOfProject } from '../project.ts';
import type { RemoteServer } from '../remote/server.ts';
import { usageError } from '../user-error.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';
import { columnsThatFit, type ListColumn } from './columns.ts';
import { firstRows } from './first-rows.ts';
import { wholeNumber } from './limit.ts';
import { parseSort, shownNote, sortOption, toSortQuery } from './order.ts';

const PAGE = 200;

type Page<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | null };

/** What a page of traces or sessions is asked for in the file. */
export interface LineQuery {
  readonly filters: { readonly where: ReturnType<typeof parseFilterOption> };
  readonly calls: false;
  readonly window: { readonly from: number; readonly to: number };
  readonly limit: number;
  readonly order: Order<LineSort> | undefined;
  readonly cursor: string | null;
}

/** The same as the query of an endpoint. */
export type RemoteLineQuery = Readonly<Record<string, string | number | undefined>> & {
  readonly projectId: string;
};

interface LineSpec<Row> {
  /** The noun of the command and the name of the rows in its document. */
  readonly noun: 'traces' | 'sessions';
  readonly examples: readonly [string, ...string[]];
  readonly columns: readonly ListColumn<Row>[];
  readonly fields: readonly (keyof Row & string)[];
  readonly file: (app: Ctx, scope: EventScope, query: LineQuery) => Promise<Page<Row>>;
  readonly server: (server: RemoteServer, query: RemoteLineQuery) => Promise<Page<Row>>;
}

/** The command `traces list` or `sessions list`: newest first or in another order, as a table, CSV or JSON. */
export const defineLineList = <Row extends object>(spec: LineSpec<Row>) =>
  defineCommand({
    name: `${spec.noun} list`,
    summary: `List the ${spec.noun} with an event that matches, newest first or in another order`,
    options: {
      ...projectOption,
      ...windowOptions,
      ...filterOption,
      ...sortOption(LINE_SORTS),
      limit: {
        value: 'N',
        summary: `Most ${spec.noun} to list, 1 to 1000`,
        short: 'n',
        type: wholeNumber(1, 1_000),
        default: '20',
      },
      csv: { summary: 'Print CSV' },
    },
    examples: spec.examples,
    run: async (ctx) => {
      const { output, options } = ctx;
      if (options.csv && output.json) throw usageError('--csv and --json cannot be combined', 'Choose one');
      const { limit, filter } = options;
      const order = parseSort(options.sort, LINE_SORTS);
      const where = parseFilterOption(filter);
      const now = Date.now();
      const bounds = parseWindow(options, now);
      const { metricsWindow } = await import('../../src/core/events/index.ts');
      const window = metricsWindow(bounds, now);
      const found = await readOfProject<Row[]>(ctx, options.project, {
        file: (app, scope) =>
          firstRows(limit, (cursor) => {
            const filters = { where };
            return spec.file(app, scope, { filters, calls: false, window, limit: PAGE, order, cursor });
          }),
        server: (server, { id: projectId }) => {
          const bounds = toQuery({ start: window.from, end: window.to - 1 });
          const query = { projectId, ...bounds, filter, kind: 'all', ...toSortQuery(order), limit: PAGE };
          return firstRows(limit, (cursor) => spec.server(server, { ...query, cursor: cursor ?? undefined }));
        },
      });
      const rows = found.slice(0, limit);
      const more = found.length > limit;
      if (options.csv) return output.raw(toCsv(csvOf(spec.fields), rows));
      output.result({ [spec.noun]: rows, more }, () => {
        if (rows.length === 0) return output.line(`No ${spec.noun} in this window.`);
        output.table(columnsThatFit(spec.columns, rows, output.columns), rows);
        if (more) output.info(shownNote(order, limit));
      });
    },
  });

const csvOf = <Row>(fields: readonly (keyof Row & string)[]): readonly CsvColumn<Row>[] =>
  fields.map((header) => ({ header, value: (row) => row[header] as string | number | null }));
