import type { FocusFile, FocusRow } from '../../src/features/costs/index.ts';
import { defineCommand } from '../command.ts';
import { readOfOrganization } from '../organization.ts';
import { usageError } from '../user-error.ts';
import { formatOfFile, writePieces } from '../write-file.ts';

const FORMAT_NAMES = ['csv', 'parquet'] as const;

const options = {
  month: { value: 'MONTH', summary: 'Month in UTC, such as 2026-10', required: true },
  output: {
    value: 'FILE',
    summary: 'File to write; its ending (.csv, .parquet) is the format',
    short: 'o',
    required: true,
  },
  format: { value: 'FORMAT', summary: 'Format, whatever the ending', choices: FORMAT_NAMES },
  org: { value: 'ORG', summary: 'Id or name of the organization; optional if there is only one' },
} as const;

export const focusExport = defineCommand({
  name: 'focus export',
  summary: "Write a month's costs as a FOCUS dataset for finance tools: CSV or Parquet",
  options,
  examples: [
    'spanledger focus export --month 2026-10 -o costs.parquet',
    'spanledger focus export --month 2026-10 --org Acme -o costs.csv',
  ],
  run: async (ctx) => {
    const { month: text, output: file, org, format = formatOfFile(file, FORMAT_NAMES) } = ctx.options;
    const { focusEndpoint, parseMonth } = await import('../../src/features/costs/focus/contract.ts');
    const month = parseMonth(text);
    if (month === null) throw usageError(`${text} is no month`, 'Pass --month a UTC month like 2026-10');
    const rows = await readOfOrganization<number | null>(ctx, org, {
      file: async (app, { id }) => {
        const { openFocusFile, readFocusRows } = await import('../../src/features/costs/index.ts');
        const { operatorOrganization } = await import('../../src/core/tenancy/index.ts');
        const counter = { rows: 0 };
        const of = readFocusRows(app, operatorOrganization(id), month);
        await writePieces(file, piecesOf(await openFocusFile(format), of, counter));
        return counter.rows;
      },
      server: async (server, { id }) => {
        await writePieces(
          file,
          await server.download(focusEndpoint, { params: { id }, query: { month: text, format } }),
        );
        return null;
      },
    });
    ctx.output.result({ file, format, month: text, rows }, () =>
      ctx.output.success(
        rows === null ? `The costs are in ${file}` : `${rows.toLocaleString('en')} rows are in ${file}`,
      ),
    );
  },
});

/** What a file consists of, as its rows come. */
async function* piecesOf(
  file: FocusFile,
  parts: AsyncIterable<readonly FocusRow[]>,
  counter: { rows: number },
): AsyncGenerator<Uint8Array> {
  for await (const rows of parts) {
    counter.rows += rows.length;
    yield await file.write(rows);
  }
  yield await file.end();
}
