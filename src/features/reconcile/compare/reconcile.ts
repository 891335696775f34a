import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { readPricer } from '../../../core/pricing/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import { badRequest } from '../../../errors.ts';
import type { JsonText } from '../../../lib/json-text.ts';
import { DAY_MS, startOfMonth } from '../../../lib/time.ts';
import type { Reconciliation } from '../contract.ts';
import { type ExportFilter, type ReadExport, readExport } from '../formats/read-export.ts';
import { addUpBooks, addUpInvoice, type Grain, grainOf, MEASURES, type StoredRow } from './add-up.ts';
import { sumApart, sumParts } from './apart.ts';
import { explainDayBoundaries } from './day-boundary.ts';
import { dayText, type OutLine, summarise, toLine, totalOf, worstFirst } from './lines.ts';

/** Whole UTC days since the epoch, both inclusive. */
type InvoiceDays = { readonly first: number; readonly last: number };
/** An export and which of its lines count. */
type Export = { readonly csv: Uint8Array; readonly filter: ExportFilter };

/** Days of the ledger that one comparison covers at most. */
const MAX_DAYS = 400;
/** Each is looked up in the catalogue. */
const MAX_MODELS = 20_000;

/**
 * Finds the days of an export; it touches no data and is a read so that it does not run on the thread that answers HTTP.
 * Throws 400 for an export that cannot be read.
 */
export const invoiceRead: ReadOp<Export, InvoiceDays> = {
  name: 'reconcile.invoice',
  run(_reader, given) {
    const read = readInvoice(given);
    if (new Set(read.rows.map(({ model }) => model)).size > MAX_MODELS)
      throw badRequest(`the export names more than ${MAX_MODELS} models; export a shorter time range`);
    const days = daysOf(read, grainOf(read));
    if (days.last - days.first >= MAX_DAYS)
      throw badRequest(
        `the export spans ${days.last - days.first + 1} days, from ${dayText(days.first)} to ${dayText(days.last)}; export at most ${MAX_DAYS} days`,
      );
    return days;
  },
};

/** Lines by month are compared with whole months, because their days may be cut at either end. */
function daysOf({ rows }: ReadExport, { per }: Grain): InvoiceDays {
  const first = rows.reduce((least, { day }) => Math.min(least, day), Number.POSITIVE_INFINITY);
  const last = rows.reduce((most, { until }) => Math.max(most, until), Number.NEGATIVE_INFINITY);
  if (per === 'day') return { first, last };
  const bills = rows.reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY);
  return { first: Math.floor(startOfMonth(bills * DAY_MS) / DAY_MS), last };
}

const readInvoice = ({ csv, filter }: Export): ReadExport => readExport(toText(csv), filter);

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('the export is not UTF-8; save it as CSV in UTF-8');
  }
}

type CompareInput = InvoiceDays &
  Export & {
    readonly rows: readonly StoredRow[];
    /** The time of asking in epoch milliseconds. */
    readonly now: number;
  };

/**
 * Compares an invoice with what is stored; run as `invoiceRead` is, and by the prices in force. It reads the export
 * again, because handing over its lines would cost the thread that answers HTTP more.
 */
export const compareRead: ReadOp<CompareInput, Reconciliation> = {
  name: 'reconcile.compare',
  run(reader, { first, last, csv, filter, rows, now }) {
    const read = readInvoice({ csv, filter });
    const grain = grainOf(read);
    const usdFrom = read.rows.some(({ usd }) => usd !== null) ? 'export' : 'prices';
    const invoice = addUpInvoice(read, grain);
    const providers = new Set([...invoice.values()].map(({ provider }) => provider));
    const books = addUpBooks(rows, { providers, grain });
    const prices = { pricer: readPricer(reader), now, usdFrom } as const;
    const compared = [...new Set([...invoice.keys(), ...books.keys()])].map((id) =>
      toLine({ invoice: invoice.get(id), books: books.get(id) }, prices),
    );
    const lines = grain.per === 'day' ? explainDayBoundaries(compared) : compared;
    return {
      ...{ layout: read.layout, from: dayText(first), to: dayText(last) },
      ...{ per: grain.per, by: grain.by, usdFrom },
      invoice: totalOf(lines.flatMap((line) => line.invoice ?? [])),
      books: { ...totalOf(lines.flatMap((line) => line.books ?? [])), unpriced: unpricedOf(lines) },
      driftUsd: driftOf(lines),
      reasons: summarise(lines),
      counts: {
        lines: lines.length,
        differing: lines.filter((line) => line.differs).length,
        unexplained: lines.filter((line) => line.differs && line.reasons.length === 0).length,
      },
      lines: lines.sort(worstFirst).slice(0, MAX_LINES),
      apart: sumApart(read.apart),
      parts: sumParts(read.rows),
      ignored: [...read.ignored],
    };
  },
};

/**
 * An invoice beside what is stored, by day or month and model.
 * @param csv the export in UTF-8
 * @throws AppError 400 for an export that cannot be read
 */
export async function reconcile(
  ctx: Ctx,
  scope: EventScope & { readonly organizationId: string },
  { csv, filter = {} }: { readonly csv: Uint8Array; readonly filter?: ExportFilter },
): Promise<JsonText<Reconciliation>> {
  const days = (await ctx.db.read(invoiceRead, scope, { csv, filter })).parse();
  const { rows } = await eventsOf(ctx).metrics(scope, {
    rows: {
      measures: MEASURES,
      groupBy: ['provider', 'model'],
      bucket: 'day',
      window: { from: days.first * DAY_MS, to: (days.last + 1) * DAY_MS },
    },
  });
  return ctx.db.read(compareRead, scope, { ...days, csv, filter, rows, now: ctx.now() });
}

const MAX_LINES = 5_000;

const unpricedOf = (lines: readonly OutLine[]): number =>
  lines.reduce((sum, { books }) => sum + (books?.unpriced ?? 0), 0);

function driftOf(lines: readonly OutLine[]): number | null {
  const known = lines.flatMap(({ driftUsd }) => driftUsd ?? []);
  return known.length === 0 ? null : known.reduce((sum, usd) => sum + usd, 0);
}
