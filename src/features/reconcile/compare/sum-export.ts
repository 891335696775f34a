import { badRequest } from '../../../errors.ts';
import type { InvoiceFigures, InvoiceRow } from '../formats/format.ts';
import { type ExportFilter, type ExportHead, readExport } from '../formats/read-export.ts';
import { type ApartSum, createApartSums, createPartSums, type PartSum } from './apart.ts';

/** The lines of an export of the same days, provider and model, added up. */
export type SummedLine = InvoiceFigures &
  Pick<InvoiceRow, 'day' | 'until' | 'provider' | 'model'> & {
    /** Rows of the export. */
    readonly rows: number;
  };

/** An export without its rows. */
export type ExportSums = ExportHead & {
  readonly lines: readonly SummedLine[];
  readonly apart: readonly ApartSum[];
  readonly parts: readonly PartSum[];
};

/** Each is priced and sorted. A year of days with 270 models stays below. */
const MAX_LINES = 100_000;
/** Each is looked up in the catalogue. */
const MAX_MODELS = 20_000;

/**
 * Reads an export and adds up its rows as they are read. Lines that name no model are the total of all models, unless
 * others name one: then their amounts are apart.
 * @param csv in UTF-8
 * @throws AppError 400 for an export that cannot be read, or that has too many lines, models or names
 */
export function sumExport(csv: Uint8Array, filter: ExportFilter): ExportSums {
  const apart = createApartSums();
  const named = createLineSums();
  const unnamed = createLineSums();
  const models = new Set<string>();
  const head = readExport(csv, filter, {
    apart: apart.add,
    line(line) {
      models.add(line.model);
      if (models.size > MAX_MODELS) throw tooMany(`${MAX_MODELS} models`);
      (line.model === '' ? unnamed : named).add(line);
    },
  });
  if (!models.has('')) return { ...head, ...named.sums(), apart: apart.sums() };
  if (models.size === 1) return { ...head, ...unnamed.sums(), apart: apart.sums() };
  apart.addSum({ kind: 'tool', label: 'no model named', currency: 'USD', ...unnamed.known() });
  return { ...head, ...named.sums(), apart: apart.sums() };
}

function createLineSums() {
  const lines = new Map<string, SummedLine>();
  const parts = createPartSums();
  const known = { amount: 0, rows: 0 };
  return {
    add(row: InvoiceRow): void {
      known.amount += row.usd ?? 0;
      known.rows++;
      parts.add(row);
      const { day, until, provider, model } = row;
      const key = `${day} ${until} ${provider} ${model}`;
      const line = lines.get(key);
      if (line === undefined) lines.set(key, { day, until, provider, model, rows: 1, ...figuresOf(row) });
      else Object.assign(line, addFigures(line, row), { rows: line.rows + 1 });
      if (lines.size > MAX_LINES) throw tooMany(`${MAX_LINES} lines by day and model`);
    },
    sums: (): Pick<ExportSums, 'lines' | 'parts'> => ({ lines: [...lines.values()], parts: parts.sums() }),
    /** The amounts that are stated. */
    known: (): Readonly<typeof known> => known,
  };
}

const tooMany = (what: string): Error =>
  badRequest(`the export has more than ${what}; export a shorter time range`);

export const figuresOf = ({
  calls,
  fresh,
  cacheRead,
  cacheWrite,
  output,
  usd,
  listUsd,
}: InvoiceFigures): InvoiceFigures => ({ calls, fresh, cacheRead, cacheWrite, output, usd, listUsd });

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/** What one of the two does not state, the sum does not state either. */
export const addFigures = (a: InvoiceFigures, b: InvoiceFigures): InvoiceFigures => ({
  calls: plus(a.calls, b.calls),
  fresh: plus(a.fresh, b.fresh),
  cacheRead: plus(a.cacheRead, b.cacheRead),
  cacheWrite: plus(a.cacheWrite, b.cacheWrite),
  output: plus(a.output, b.output),
  usd: plus(a.usd, b.usd),
  listUsd: plus(a.listUsd, b.listUsd),
});
