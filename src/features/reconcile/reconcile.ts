import type { Ctx } from '../../context.ts';
import { eventsOf } from '../../core/events/index.ts';
import { canonicalModel, type Pricer, priceSum, readPricer } from '../../core/pricing/index.ts';
import type { EventScope } from '../../core/tenancy/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { badRequest } from '../../errors.ts';
import type { JsonText } from '../../lib/json-text.ts';
import { DAY_MS, formatInstant } from '../../lib/time.ts';
import { type Books, inputOf, type PriceTry, reasonsOf, type Side } from './compare.ts';
import type { DriftReason, Reconciliation } from './contract.ts';
import { type ReadExport, readExport } from './layouts.ts';
import { parseCsv } from './parse-csv.ts';

type Line<S> = {
  readonly day: number;
  readonly provider: string | null;
  readonly model: string;
  readonly side: S;
};
type Stored = OutLine['stored'];
type BooksLine = Line<Books> & { readonly stored: Stored };

/** What an export says, added up by day and model. */
type Invoice = {
  readonly layout: ReadExport['layout'];
  readonly ignored: ReadExport['ignored'];
  readonly usdFrom: 'export' | 'prices';
  readonly lines: ReadonlyMap<string, Line<Side>>;
};

/** Whole UTC days since the epoch, both inclusive. */
type InvoiceDays = { readonly first: number; readonly last: number };

/**
 * Finds the days of an export; it touches no data and is a read so that it does not run on the thread that answers HTTP.
 * Throws 400 for an export that cannot be read.
 */
export const invoiceRead: ReadOp<{ readonly csv: Uint8Array }, InvoiceDays> = {
  name: 'reconcile.invoice',
  run(_reader, { csv }) {
    const days = [...readInvoice(csv).lines.values()].map(({ day }) => day);
    return {
      first: days.reduce((a, b) => Math.min(a, b)),
      last: days.reduce((a, b) => Math.max(a, b)),
    };
  },
};

function readInvoice(csv: Uint8Array): Invoice {
  const read = readExport(parseCsv(toText(csv)));
  const usdFrom = read.rows.some(({ usd }) => usd !== null) ? 'export' : 'prices';
  return { layout: read.layout, ignored: read.ignored, usdFrom, lines: addUpInvoice(read) };
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('the export is not UTF-8; save it as CSV in UTF-8');
  }
}

type CompareInput = InvoiceDays & {
  readonly csv: Uint8Array;
  readonly rows: readonly StoredRow[];
  /** The time of asking in epoch milliseconds. */
  readonly now: number;
};

/**
 * Compares an invoice with what is stored, by day and model; run as `invoiceRead` is, and by the prices in force. It reads
 * the export again, because handing over its lines would cost the thread that answers HTTP more.
 */
export const compareRead: ReadOp<CompareInput, Reconciliation> = {
  name: 'reconcile.compare',
  run(reader, { first, last, csv, rows, now }) {
    const { layout, ignored, usdFrom, lines: invoice } = readInvoice(csv);
    const pricer = readPricer(reader);
    const books = addUpBooks(rows, new Set([...invoice.values()].map(({ provider }) => provider)));
    const lines = [...new Set([...invoice.keys(), ...books.keys()])].map((id) =>
      toLine({ invoice: invoice.get(id), books: books.get(id) }, { pricer, now, usdFrom }),
    );
    return {
      layout,
      from: dayText(first),
      to: dayText(last),
      usdFrom,
      invoice: totalOf(lines.flatMap((line) => line.invoice ?? [])),
      books: { ...totalOf(lines.flatMap((line) => line.books ?? [])), unpriced: unpricedOf(lines) },
      driftUsd: lines.reduce((sum, line) => sum + line.driftUsd, 0),
      reasons: summarise(lines),
      counts: { lines: lines.length, differing: lines.filter(({ reasons }) => reasons.length > 0).length },
      lines: lines.sort(worstFirst).slice(0, MAX_LINES),
      ignored: [...ignored],
    };
  },
};

const MEASURES = [
  'requests',
  'cost',
  'unpriced',
  'freshTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'outputTokens',
] as const;

/**
 * An invoice beside what is stored, by day and model.
 * @param csv the export in UTF-8
 * @throws AppError 400 for an export that cannot be read
 */
export async function reconcile(
  ctx: Ctx,
  scope: EventScope & { readonly organizationId: string },
  csv: Uint8Array,
): Promise<JsonText<Reconciliation>> {
  const days = (await ctx.db.read(invoiceRead, scope, { csv })).parse();
  const { rows } = await eventsOf(ctx).metrics(scope, {
    rows: {
      measures: MEASURES,
      groupBy: ['provider', 'model'],
      bucket: 'day',
      window: { from: days.first * DAY_MS, to: (days.last + 1) * DAY_MS },
    },
  });
  return ctx.db.read(compareRead, scope, { ...days, csv, rows, now: ctx.now() });
}

const MAX_LINES = 5_000;
const dayText = (day: number): string => formatInstant(day * DAY_MS).slice(0, 10);
const keyOf = (day: number, model: string): string => `${day} ${model}`;

function addUpInvoice({ rows }: ReadExport): Map<string, Line<Side>> {
  const lines = new Map<string, Line<Side>>();
  const names = new Map<string, ReturnType<typeof canonicalModel>>();
  for (const { day, provider: given, model: named, ...side } of rows) {
    const name = `${given} ${named}`;
    const { provider, model } = names.get(name) ?? canonicalModel(given, named);
    names.set(name, { provider, model });
    const known = lines.get(keyOf(day, model));
    lines.set(keyOf(day, model), {
      day,
      provider,
      model,
      side: known === undefined ? side : addSides(known.side, side),
    });
  }
  return lines;
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

const addSides = (a: Side, b: Side): Side => ({
  calls: plus(a.calls, b.calls),
  fresh: plus(a.fresh, b.fresh),
  cacheRead: plus(a.cacheRead, b.cacheRead),
  cacheWrite: plus(a.cacheWrite, b.cacheWrite),
  output: plus(a.output, b.output),
  usd: plus(a.usd, b.usd),
});

/** The calls of a UTC day, model and provider. */
type StoredRow = {
  readonly time: number | null;
  readonly provider: string | null;
  readonly model: string | null;
} & Readonly<Record<(typeof MEASURES)[number], number>>;

/** What is stored of the providers of an invoice. */
function addUpBooks(
  rows: readonly StoredRow[],
  providers: ReadonlySet<string | null>,
): Map<string, BooksLine> {
  const lines = new Map<string, BooksLine>();
  for (const row of rows) {
    const { provider, model } = canonicalModel(row.provider, row.model ?? '');
    if (!providers.has(provider) && !providers.has(null)) continue;
    const day = Math.floor((row.time ?? 0) / DAY_MS);
    const side = {
      calls: row.requests,
      fresh: row.freshTokens,
      cacheRead: row.cacheReadTokens,
      cacheWrite: row.cacheWriteTokens,
      output: row.outputTokens,
      usd: row.cost,
      unpriced: row.unpriced,
    };
    const known = lines.get(keyOf(day, model));
    const sum = known === undefined ? side : { ...addSides(known.side, side), ...countsOf(known.side, side) };
    const own = row.model === null ? null : { provider: row.provider, model: row.model };
    const stored = known === undefined || isSame(known.stored, own) ? own : null;
    lines.set(keyOf(day, model), { day, provider, model, stored, side: sum });
  }
  return lines;
}

const isSame = (a: Stored, b: Stored): boolean => a?.provider === b?.provider && a?.model === b?.model;

const countsOf = (a: Books, b: Books): Pick<Books, 'calls' | 'unpriced'> => ({
  calls: a.calls + b.calls,
  unpriced: a.unpriced + b.unpriced,
});

type Prices = { readonly pricer: Pricer; readonly now: number; readonly usdFrom: 'export' | 'prices' };
type OutLine = Reconciliation['lines'][number];

function toLine(
  { invoice, books }: { invoice: Line<Side> | undefined; books: BooksLine | undefined },
  prices: Prices,
): OutLine {
  const about = invoice ?? books;
  if (about === undefined) throw new Error('a line of neither side');
  const { day, provider, model } = about;
  const tries = invoice === undefined ? [] : priceTries(invoice, prices);
  const billed = invoice === undefined ? null : withMoney(invoice, tries, prices.usdFrom);
  const own = books?.side ?? null;
  return {
    day: dayText(day),
    provider,
    model,
    stored: books?.stored ?? null,
    invoice: billed === null ? null : toSide(billed),
    books: own === null ? null : { ...toSide(own), unpriced: own.unpriced },
    driftUsd: (own?.usd ?? 0) - (billed?.usd ?? 0),
    driftTokens: tokensOf(own) - tokensOf(billed),
    reasons: reasonsOf(billed, own, tries),
  };
}

/** Days around the one of the line whose price may have been taken instead, the day itself first. */
const OTHER_DAYS = [0, -1, 1, -7, 7, -30, 30] as const;

/** What the invoice's tokens would cost by the prices of its day, of the days around, and of today. */
function priceTries({ day, provider, model, side }: Line<Side>, { pricer, now }: Prices): PriceTry[] {
  if (side.fresh === null || side.output === null) return [];
  const buckets = {
    fresh: side.fresh,
    cacheRead: side.cacheRead ?? 0,
    cacheWrite5m: side.cacheWrite ?? 0,
    cacheWrite1h: 0,
    output: side.output,
    reasoning: 0,
  };
  const times = [...OTHER_DAYS.map((offset) => (day + offset) * DAY_MS + DAY_MS / 2), now];
  return times.flatMap((ts) => {
    const priced = priceSum(pricer, { provider, model, ts, buckets, calls: side.calls ?? 1 });
    return priced === null ? [] : [{ day: formatInstant(ts).slice(0, 10), usd: priced.nano / 1e9 }];
  });
}

/** An export of tokens alone gets the money from the prices in force on the day. */
const withMoney = ({ side }: Line<Side>, [first]: readonly PriceTry[], from: Prices['usdFrom']): Side =>
  from === 'export' ? side : { ...side, usd: first?.usd ?? null };

const tokensOf = (side: Side | null): number =>
  side === null ? 0 : (inputOf(side) ?? 0) + (side.output ?? 0);

const toSide = (side: Side): NonNullable<OutLine['invoice']> => ({
  calls: side.calls,
  inputTokens: inputOf(side),
  cachedTokens: side.cacheRead,
  outputTokens: side.output,
  usd: side.usd,
});

type OutSide = NonNullable<OutLine['invoice']>;

function totalOf(sides: readonly OutSide[]): OutSide {
  const sum = (of: keyof OutSide): number | null =>
    sides.every((side) => side[of] === null) ? null : sides.reduce((all, side) => all + (side[of] ?? 0), 0);
  return {
    calls: sum('calls'),
    inputTokens: sum('inputTokens'),
    cachedTokens: sum('cachedTokens'),
    outputTokens: sum('outputTokens'),
    usd: sum('usd'),
  };
}

const unpricedOf = (lines: readonly OutLine[]): number =>
  lines.reduce((sum, { books }) => sum + (books?.unpriced ?? 0), 0);

const TEXTS: Readonly<Record<DriftReason, string>> = {
  missing_events: 'Billed calls are missing in the ledger: check the senders and Quarantine',
  duplicates: 'Calls may be in the ledger more than once: send a stable event_id',
  cache_layout: 'Cached tokens were read differently than the provider counts them',
  unpriced_model: 'Models without a price: set one and re-price',
  price_date: 'Stored at the price of another day: re-price',
  rates: 'Billed at different rates: set the agreed prices',
  not_on_invoice: 'Calls that are not on the invoice: another account or time zone',
  tokens: 'Senders and provider count tokens differently',
};

function summarise(lines: readonly OutLine[]): Reconciliation['reasons'] {
  const found = new Map<DriftReason, { lines: number; driftUsd: number }>();
  for (const { reasons, driftUsd } of lines) {
    for (const { code } of reasons) {
      const known = found.get(code) ?? { lines: 0, driftUsd: 0 };
      // A line with several reasons counts its money for the first, so that the reasons add up.
      const money = code === reasons[0]?.code ? driftUsd : 0;
      found.set(code, { lines: known.lines + 1, driftUsd: known.driftUsd + money });
    }
  }
  return [...found]
    .map(([code, of]) => ({ code, ...of, text: TEXTS[code] }))
    .sort((a, b) => Math.abs(b.driftUsd) - Math.abs(a.driftUsd));
}

function worstFirst(a: OutLine, b: OutLine): number {
  const weight = (line: OutLine): number => (line.reasons.length > 0 ? 1 : 0);
  return (
    weight(b) - weight(a) ||
    Math.abs(b.driftUsd) - Math.abs(a.driftUsd) ||
    (a.day < b.day ? -1 : a.day > b.day ? 1 : a.model < b.model ? -1 : 1)
  );
}
