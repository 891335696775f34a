import type { Ctx } from '../../../context.ts';
import { type CsvColumn, toCsv } from '../../../lib/csv.ts';
import { ofProjects, type ProjectScope } from '../../tenancy/index.ts';
import type { DatasetItem, ExportFormat } from '../contract.ts';
import { findDataset, placeOf } from '../queries.ts';
import { listItems, type ReadItem } from '../reads.ts';

const PAGE = 500;

type Asked = {
  readonly datasetId: string;
  readonly version?: number | undefined;
  readonly split?: string | undefined;
  readonly format: ExportFormat;
};

const cell = (value: unknown): string | null =>
  value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

const COLUMNS: readonly CsvColumn<DatasetItem>[] = [
  { header: 'id', value: ({ id }) => id },
  { header: 'input', value: ({ input }) => cell(input) },
  { header: 'expectedOutput', value: ({ expectedOutput }) => cell(expectedOutput) },
  { header: 'metadata', value: ({ metadata }) => cell(metadata) },
  { header: 'split', value: ({ split }) => split },
  { header: 'sourceTraceId', value: ({ sourceTraceId }) => sourceTraceId },
  { header: 'sourceSpanId', value: ({ sourceSpanId }) => sourceSpanId },
];

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
};

/** What of an item is exported: what an import takes. */
const toFile = ({ no: _, version: __, createdAt: ___, userId, ...item }: ReadItem) =>
  Object.fromEntries(Object.entries({ ...item, userId }).filter(([, value]) => value !== null));

function write(format: ExportFormat, items: readonly ReadItem[], isFirst: boolean): string {
  if (format === 'csv') return toCsv(COLUMNS, items, { header: isFirst });
  return items.map((item) => `${JSON.stringify(toFile(item))}\n`).join('');
}

/** All items of a version as a file, read as fast as they are taken. Throws AppError 400, 404. */
export async function exportItems(ctx: Ctx, scope: ProjectScope, asked: Asked): Promise<Response> {
  const { datasetId, split, format } = asked;
  const place = placeOf(await findDataset(ctx, scope, datasetId), asked.version);
  const encoder = new TextEncoder();
  let after: number | null = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (after === null) return controller.close();
      const query = { ...place, split, after, limit: PAGE };
      const { items, next } = (await ctx.db.read(listItems, ofProjects([scope]), query)).parse();
      const isFirst = after === 0;
      after = next;
      // Not empty: a pull has to enqueue something.
      const text = write(format, items, isFirst);
      controller.enqueue(encoder.encode(text === '' ? '\n' : text));
    },
  });
  const name = `spanledger-dataset-v${place.version}.${format}`;
  return new Response(body, {
    headers: { 'Content-Type': TYPES[format], 'Content-Disposition': `attachment; filename="${name}"` },
  });
}
