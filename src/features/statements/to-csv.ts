import { type CsvColumn, toCsv } from '../../lib/csv.ts';
import type { Statement } from './contract.ts';

type Row = { readonly statement: Statement; readonly line: Statement['lines'][number] };

const COLUMNS: readonly CsvColumn<Row>[] = [
  { header: 'number', value: ({ statement }) => statement.number },
  { header: 'month', value: ({ statement }) => statement.month },
  { header: 'party', value: ({ statement }) => statement.party },
  { header: 'name', value: ({ statement }) => statement.name },
  { header: 'type', value: ({ line }) => line.type },
  { header: 'of_month', value: ({ line }) => line.month },
  { header: 'text', value: ({ line }) => line.text },
  { header: 'project_id', value: ({ line, statement }) => line.projectId ?? statement.projectId },
  { header: 'provider', value: ({ line }) => line.provider },
  { header: 'model', value: ({ line }) => line.model },
  { header: 'kind', value: ({ line }) => line.kind },
  { header: 'bucket', value: ({ line }) => line.bucket },
  { header: 'price', value: ({ line }) => line.price?.reference },
  { header: 'calls', value: ({ line }) => line.calls },
  { header: 'quantity', value: ({ line }) => line.quantity },
  { header: 'usd_per_million', value: ({ line }) => line.usdPerMillion },
  { header: 'amount_nano', value: ({ line }) => line.amountNano },
  { header: 'amount', value: ({ line }) => Number(line.amount) },
  { header: 'currency', value: ({ statement }) => statement.currency },
];

/** The lines of statements as CSV. */
export const statementsCsv = (statements: readonly Statement[], header: boolean): string =>
  toCsv(
    COLUMNS,
    statements.flatMap((statement) => statement.lines.map((line) => ({ statement, line }))),
    { header },
  );
