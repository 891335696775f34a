import type { Ctx } from '../../src/context.ts';
import type { EventScope } from '../../src/core/tenancy/index.ts';
import type { AnalyticsInput } from '../../src/features/analytics/index.ts';
import { type CsvColumn, toCsv } from '../../src/lib/csv.ts';
import { type BaseContext, type Command, defineCommand } from '../command.ts';
import { filterOption, parseFilterOption } from '../events/filter.ts';
import { span } from '../moment.ts';
import type { Output } from '../output.ts';
import { type KnownProject, projectOption, readOfProject } from '../project.ts';
import type { RemoteServer } from '../remote/server.ts';
import { usageError } from '../user-error.ts';
import { parseWindow, toQuery, windowOptions } from '../window.ts';
import { tinted } from './figures.ts';
import { warnLeftOut } from './pieces.ts';

/** A page of a document that is a list; null is the first page. */
export type ReportPage = { readonly cursor: string | null; readonly limit: number };

/** Reads a document of a project: what its endpoint replies. `page`: of a list, by default the endpoint's first. */
export type ReadReport<Doc> = (
  ctx: Ctx,
  scope: EventScope,
  input: AnalyticsInput,
  page?: ReportPage,
) => Promise<Doc>;

/** The query of an endpoint with figures of a project, as text. */
export type ReportQuery = Readonly<Record<string, string | undefined>> & { readonly projectId: string };

/** Where a report is read: in the file, or from a server. */
export type Source =
  | { readonly kind: 'file'; readonly app: Ctx; readonly scope: EventScope }
  | { readonly kind: 'server'; readonly server: RemoteServer; readonly query: ReportQuery };

/** The input of a report; `input` is the document's own input. */
export interface Reading {
  readonly source: Source;
  readonly project: KnownProject;
  readonly input: AnalyticsInput;
}

/** The dimension that a report is split by, and its input. */
export interface SplitRequest extends Reading {
  readonly output: Output;
  readonly by: string;
  readonly csv: boolean;
}

interface ReportSpec<Doc, Seen, Row> {
  /** `costs`, the noun of the command and of the endpoint. */
  readonly name: string;
  readonly summary: string;
  /** Imports the read that returns the report's document. */
  readonly load: () => Promise<ReadReport<Doc>>;
  /** Asks a server for the same document. */
  readonly ask: (server: RemoteServer, query: ReportQuery) => Promise<Doc>;
  /** Number of calls in the window; a report without calls shows nothing. */
  readonly calls: (doc: Doc) => number;
  /** Reads what the terminal shows in addition to the document. */
  readonly see: (doc: Doc, reading: Reading) => Promise<Seen> | Seen;
  readonly render: (output: Output, seen: Seen) => void;
  /** Prints the figures split by a dimension, for reports with an option --by. */
  readonly split?: (request: SplitRequest) => Promise<void>;
  readonly csv: {
    readonly columns: readonly CsvColumn<Row>[];
    readonly rows: (seen: Seen) => readonly Row[];
    /** Cursor of the next page of a document that is a list; null on the last one. */
    readonly next?: (doc: Doc) => string | null;
  };
}

/** Rows of a page of a CSV, the most that an endpoint gives. */
const PAGE = 200;

const options = {
  ...projectOption,
  ...windowOptions,
  environment: { value: 'NAME', summary: 'Only calls of this environment' },
  model: { value: 'NAME', summary: 'Only calls of this model' },
  ...filterOption,
  csv: { summary: 'Print the main table as CSV' },
} as const;
const splitOption = {
  by: {
    value: 'WHAT',
    summary:
      'Split by model, provider, environment, user, release, agent, agentVersion, tool, promptName, promptVersion, key, tag:NAME or day',
  },
} as const;

/** A command that prints an analytics document: for people, as CSV, or as the endpoint's JSON. */
export const defineReport = <Doc extends object, Seen, Row>(spec: ReportSpec<Doc, Seen, Row>): Command =>
  defineCommand({
    name: `report ${spec.name}`,
    summary: spec.summary,
    // Only reports that can be split have the option; the others never receive a value for it.
    options: (spec.split ? { ...options, ...splitOption } : options) as typeof options & typeof splitOption,
    examples: [
      `spanledger report ${spec.name}`,
      `spanledger report ${spec.name} --start 7d --filter 'status:failed latency>2s'`,
      `spanledger report ${spec.name} --start 2026-01-01 --csv >${spec.name}.csv`,
    ],
    run: async (ctx) => {
      const { output, options: given } = ctx;
      if (given.csv && output.json) throw usageError('--csv and --json cannot be combined', 'Choose one');
      const now = Date.now();
      const window = parseWindow(given, now);
      const [read, { toInput }] = await Promise.all([
        spec.load(),
        import('../../src/features/analytics/index.ts'),
      ]);
      const { environment, model, filter } = given;
      const input = toInput({ ...window, environment, model, filter: parseFilterOption(filter) }, now);
      const print = async (source: Source, project: KnownProject): Promise<void> => {
        const reading: Reading = { source, project, input };
        const { by } = given;
        if (spec.split && by !== undefined) return spec.split({ ...reading, output, by, csv: given.csv });
        const readPage = (page?: ReportPage): Promise<Doc> =>
          source.kind === 'file'
            ? read(source.app, source.scope, input, page)
            : spec.ask(source.server, { ...source.query, ...(page && pageQuery(page, input)) });
        const pages = given.csv && spec.csv.next !== undefined;
        let doc = await readPage(pages ? { cursor: null, limit: PAGE } : undefined);
        warnLeftOut(output, doc);
        if (output.json) return output.result(doc, () => {});
        const seen = await spec.see(doc, reading);
        if (given.csv) {
          const { columns, rows, next = () => null } = spec.csv;
          output.raw(toCsv(columns, rows(seen)));
          for (let cursor = next(doc); cursor !== null; cursor = next(doc)) {
            doc = await readPage({ cursor, limit: PAGE });
            output.raw(toCsv(columns, rows(await spec.see(doc, reading)), { header: false }));
          }
          return;
        }
        printTitle(ctx, { title: spec.name, project, input, filter });
        if (spec.calls(doc) === 0) return output.line('No calls in this window.');
        spec.render(output, seen);
      };
      await readOfProject(ctx, given.project, {
        file: (app, scope, project) => print({ kind: 'file', app, scope }, project),
        server: (server, project) => {
          const query = { projectId: project.id, ...toQuery(window), environment, model, filter };
          return print({ kind: 'server', server, query }, project);
        },
      });
    },
  });

/** A page of an endpoint. The bounds are those of the first page, so that no row moves between two of them. */
const pageQuery = ({ cursor, limit }: ReportPage, { window }: AnalyticsInput) => ({
  ...toQuery({ start: window.from, end: window.to - 1 }),
  ...(cursor !== null && { cursor }),
  limit: String(limit),
});

const printTitle = (
  { output }: BaseContext,
  {
    title,
    project,
    input,
    filter,
  }: Pick<Reading, 'project' | 'input'> & { title: string; filter?: string | undefined },
): void => {
  const { filters, window } = input;
  const only = [filters.environment, filters.model, filter].filter((one) => one !== undefined);
  const about = ['', project.organizationName, span(window.from, window.to - 1), ...only];
  output.line(
    tinted(`${title.charAt(0).toUpperCase()}${title.slice(1)} of ${project.name}`, 'bold'),
    tinted(about.join(' · ').trim(), 'dim'),
  );
  output.raw('\n');
};
