import type { Ctx } from '../../src/context.ts';
import type { ProjectRow } from '../../src/core/projects/contract.ts';
import { type EventScope, ofProject, operatorScope } from '../../src/core/tenancy/index.ts';
import type { AnalyticsInput } from '../../src/features/analytics/index.ts';
import { type CsvColumn, toCsv } from '../../src/lib/csv.ts';
import { type BaseContext, type Command, defineCommand } from '../command.ts';
import { filterOption, parseFilterOption } from '../events/filter.ts';
import { span } from '../moment.ts';
import type { Output } from '../output.ts';
import { chooseProject, projectOption } from '../project.ts';
import { withApp } from '../session.ts';
import { usageError } from '../user-error.ts';
import { parseWindow, windowOptions } from '../window.ts';
import { tinted } from './figures.ts';
import { warnMissing } from './pieces.ts';

/** Reads a document of a project: what its endpoint replies. */
export type ReadReport<Doc> = (ctx: Ctx, scope: EventScope, input: AnalyticsInput) => Promise<Doc>;

/** The input of a report; `input` is the document's own input. */
export interface Reading {
  readonly app: Ctx;
  readonly project: ProjectRow;
  readonly input: AnalyticsInput;
  readonly scope: EventScope;
}

/** The dimension that a report is split by, and its input. */
export interface SplitRequest {
  readonly app: Ctx;
  readonly output: Output;
  readonly project: ProjectRow;
  readonly scope: EventScope;
  readonly input: AnalyticsInput;
  readonly by: string;
  readonly csv: boolean;
}

interface ReportSpec<Doc, Seen, Row> {
  /** `costs`, the noun of the command and of the endpoint. */
  readonly name: string;
  readonly summary: string;
  /** Imports the read that returns the report's document. */
  readonly load: () => Promise<ReadReport<Doc>>;
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
  };
}

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
    summary: 'Split by model, provider, environment, user, key, tag:NAME or day',
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
      const { environment, model } = given;
      const input = toInput({ ...window, environment, model, filter: parseFilterOption(given.filter) }, now);
      await withApp(ctx, async (app) => {
        const project = await chooseProject(app.ctx, given.project);
        const scope = ofProject(operatorScope(project));
        const { by } = given;
        if (spec.split && by !== undefined)
          return spec.split({ app: app.ctx, output, project, scope, input, by, csv: given.csv });
        const doc = await read(app.ctx, scope, input);
        warnMissing(output, doc);
        if (output.json) return output.result(doc, () => {});
        const seen = await spec.see(doc, { app: app.ctx, project, input, scope });
        if (given.csv) return output.raw(toCsv(spec.csv.columns, spec.csv.rows(seen)));
        printTitle(ctx, { title: spec.name, project, input, filter: given.filter });
        if (spec.calls(doc) === 0) return output.line('No calls in this window.');
        spec.render(output, seen);
      });
    },
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
