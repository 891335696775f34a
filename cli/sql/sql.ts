import { z } from 'zod';
import { type BaseContext, defineCommand } from '../command.ts';
import { projectOption } from '../project.ts';
import { readSource } from '../read-source.ts';
import { usageError } from '../user-error.ts';
import { windowOptions } from '../window.ts';
import type { EventColumn } from './columns.ts';
import type { Rows } from './messages.ts';

const LIMIT = { table: 1_000, file: 100_000 } as const;
const count = z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be at least 1');
const seconds = z.coerce
  .number('must be a number of seconds')
  .positive('must be more than 0')
  .max(86_400, 'must be at most a day');

const options = {
  ...projectOption,
  ...windowOptions,
  environment: { value: 'NAME', summary: 'Only read events of this environment' },
  model: { value: 'NAME', summary: 'Only read events of this model' },
  file: { value: 'FILE', summary: 'Read the statement from this file' },
  schema: { summary: 'Print the columns of the table `events`' },
  maxRows: {
    value: 'N',
    summary: 'Refuse a window with more events than this',
    default: '1000000',
    type: count.max(100_000_000, 'must be at most 100000000'),
  },
  limit: {
    value: 'N',
    summary: 'Rows to print; 1000 by default, 100000 with --csv and --json',
    type: count.max(1_000_000, 'must be at most 1000000'),
  },
  timeout: {
    value: 'SECONDS',
    summary: 'Stop the statement after this time; reading the events does not count',
    default: '60',
    type: seconds,
  },
  csv: { summary: 'Print the rows as CSV' },
} as const;

export const sql = defineCommand({
  name: 'sql',
  summary: "Run a SELECT on the events of a time window, in SQLite's dialect",
  args: { statement: { summary: 'The statement in quotes; - for standard input', optional: true } },
  options,
  examples: [
    "spanledger sql 'SELECT model, sum(cost_usd) FROM events GROUP BY 1'",
    `spanledger sql "SELECT tags ->> 'team', count(*) FROM events GROUP BY 1"`,
    'spanledger sql -p assistant --start 7d --file report.sql --csv',
    'spanledger sql --schema',
  ],
  run: async (ctx) => {
    const { output } = ctx;
    const { csv, limit = csv || output.json ? LIMIT.file : LIMIT.table } = ctx.options;
    if (csv && output.json) throw usageError('--csv and --json cannot be combined', 'Choose one');
    const source = await readStatement(ctx, ctx.args.statement, ctx.options);
    const { eventColumns } = await import('./columns.ts');
    if (source === null) return print(ctx, { csv, doc: {}, rows: schemaRows(eventColumns) });
    const { runQuery } = await import('./run-query.ts');
    const { events, rows } = await runQuery(ctx, source, { ...ctx.options, limit });
    await print(ctx, { csv, doc: { events }, rows });
    if (rows.truncated)
      output.warn(`Only the first ${limit.toLocaleString('en')} rows are printed; raise --limit to see more`);
  },
});

interface Source {
  readonly file: string | undefined;
  readonly schema: boolean;
}

/** The statement from the argument, the file or standard input; null if the schema is asked for. */
const readStatement = async (
  ctx: BaseContext,
  given: string | undefined,
  { file, schema }: Source,
): Promise<string | null> => {
  if ([given, file, schema || undefined].filter((one) => one !== undefined).length !== 1)
    throw usageError(
      given === undefined && file === undefined && !schema
        ? 'There is no statement'
        : 'Only one of a statement, --file and --schema can be given',
      "For example: spanledger sql 'SELECT count(*) FROM events'",
    );
  if (schema) return null;
  return file === undefined && given !== '-' ? (given ?? '') : readSource(ctx, file ?? '-');
};

const schemaRows = (columns: readonly EventColumn[]): Rows => ({
  columns: ['column', 'type', 'description'],
  rows: columns.map(({ name, type, description }) => [name, type, description]),
  truncated: false,
});

/** Prints rows as JSON, CSV or a table. */
const print = async (
  { output }: BaseContext,
  { csv, doc, rows }: { csv: boolean; doc: object; rows: Rows },
): Promise<void> => {
  const { printTable, rowsToCsv, rowsToObjects } = await import('./print-rows.ts');
  if (csv) return output.raw(rowsToCsv(rows));
  const { columns, truncated } = rows;
  const json = output.json ? { ...doc, columns, rows: rowsToObjects(rows), truncated } : null;
  output.result(json, () => printTable(output, rows));
};
