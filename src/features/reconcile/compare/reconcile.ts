import { deflateSync, inflateSync } from 'node:zlib';
import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { readPricer } from '../../../core/pricing/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import { badRequest } from '../../../errors.ts';
import type { JsonText } from '../../../lib/json-text.ts';
import { DAY_MS, startOfMonth } from '../../../lib/time.ts';
import type { Reconciliation } from '../contract.ts';
import type { ExportFilter } from '../formats/read-export.ts';
import { addUpBooks, addUpInvoice, type Grain, grainOf, MEASURES, type StoredRow } from './add-up.ts';
import { explainDayBoundaries } from './day-boundary.ts';
import { dayText, type OutLine, summarise, toLine, totalOf, worstFirst } from './lines.ts';
import { type ExportSums, sumExport } from './sum-export.ts';

/** Whole UTC days since the epoch, both inclusive. */
type InvoiceDays = { readonly first: number; readonly last: number };
/** An export and which of its lines count. */
type Export = { readonly csv: Uint8Array; readonly filter: ExportFilter };

/** Days of the ledger that one comparison covers at most. */
const MAX_DAYS = 400;

/**
 * Adds up an export and finds its days; it touches no data and is a read so that it does not run on the thread that
 * answers HTTP. The sums are packed, because that thread only passes them on.
 * Throws 400 for an export that cannot be read.
 */
export const invoiceRead: ReadOp<Export, InvoiceDays & { readonly packed: string }> = {
  name: 'reconcile.invoice',
  run(_reader, { csv, filter }) {
    const sums = sumExport(csv, filter);
    const days = daysOf(sums, grainOf(sums));
    if (days.last - days.first >= MAX_DAYS)
      throw badRequest(
        `the export spans ${days.last - days.first + 1} days, from ${dayText(days.first)} to ${dayText(days.last)}; export at most ${MAX_DAYS} days`,
      );
    return { ...days, packed: deflateSync(JSON.stringify(sums), { level: 1 }).toString('base64') };
  },
};

/** Lines by month are compared with whole months, because their days may be cut at either end. */
function daysOf({ lines }: ExportSums, { per }: Grain): InvoiceDays {
  const first = lines.reduce((least, { day }) => Math.min(least, day), Number.POSITIVE_INFINITY);
  const last = lines.reduce((most, { until }) => Math.max(most, until), Number.NEGATIVE_INFINITY);
  if (per === 'day') return { first, last };
  const bills = lines.reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY);
  return { first: Math.floor(startOfMonth(bills * DAY_MS) / DAY_MS), last };
}

type CompareInput = InvoiceDays & {
  /** As `invoiceRead` packs them. */
  readonly packed: Uint8Array;
  readonly rows: readonly StoredRow[];
  /** The time of asking in epoch milliseconds. */
  readonly now: number;
};

/** Compares an invoice with what is stored; run as `invoiceRead` is, and by the prices in force. */
export const compareRead: ReadOp<CompareInput, Reconciliation> = {
  name: 'reconcile.compare',
  run(reader, { first, last, packed, rows, now }) {
    const sums = JSON.parse(inflateSync(packed).toString()) as ExportSums;
    const grain = grainOf(sums);
    const usdFrom = sums.lines.some(({ usd }) => usd !== null) ? 'export' : 'prices';
    const invoice = addUpInvoice(sums, grain);
    const providers = new Set([...invoice.values()].map(({ provider }) => provider));
    const books = addUpBooks(rows, { providers, grain });
    const prices = { pricer: readPricer(reader), now, usdFrom } as const;
    const compared = [...new Set([...invoice.keys(), ...books.keys()])].map((id) =>
      toLine({ invoice: invoice.get(id), books: books.get(id) }, prices),
    );
    const lines = grain.per === 'day' ? explainDayBoundaries(compared) : compared;
    return {
      ...{ layout: sums.layout, from: dayText(first), to: dayText(last) },
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
      apart: [...sums.apart],
      parts: [...sums.parts],
      ignored: [...sums.ignored],
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
  const { packed, ...days } = (await ctx.db.read(invoiceRead, scope, { csv, filter })).parse();
  const { rows } = await eventsOf(ctx).metrics(scope, {
    rows: {
      measures: MEASURES,
      groupBy: ['provider', 'model'],
      bucket: 'day',
      window: { from: days.first * DAY_MS, to: (days.last + 1) * DAY_MS },
    },
  });
  const input = { ...days, packed: Buffer.from(packed, 'base64'), rows, now: ctx.now() };
  return ctx.db.read(compareRead, scope, input);
}

const MAX_LINES = 5_000;

const unpricedOf = (lines: readonly OutLine[]): number =>
  lines.reduce((sum, { books }) => sum + (books?.unpriced ?? 0), 0);

function driftOf(lines: readonly OutLine[]): number | null {
  const known = lines.flatMap(({ driftUsd }) => driftUsd ?? []);
  return known.length === 0 ? null : known.reduce((sum, usd) => sum + usd, 0);
}
