import { type Pricer, readPricer } from '../../../core/pricing/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import { DAY_MS, formatInstant } from '../../../lib/time.ts';
import { addUpBooks, addUpInvoice, type Line, type StoredRow } from '../compare/add-up.ts';
import { explainDayBoundaries } from '../compare/day-boundary.ts';
import { type OutLine, toLine } from '../compare/lines.ts';
import type { Side } from '../compare/reasons.ts';
import type { SummedLine } from '../compare/sum-export.ts';
import {
  type ConnectorProvider,
  type Drift,
  type DriftLine,
  MAX_DRIFT_LINES,
  type Threshold,
} from './contract.ts';
import type { FigureRow } from './queries.ts';
import { SETTLED_AFTER_DAYS } from './store-figures.ts';

/** What crosses to the reader process: plain data. */
export type PlainFigure = Omit<FigureRow, 'restatedAt' | 'fetchedAt' | 'organizationId' | 'connector'> & {
  readonly restatedAt: number | null;
};

export type DriftInput = {
  readonly connector: string;
  readonly provider: ConnectorProvider;
  readonly figures: readonly PlainFigure[];
  readonly rows: readonly StoredRow[];
  readonly threshold: Threshold;
  readonly now: number;
};

/** The largest lines, and the sums of all. */
export type ConnectorDrift = Pick<Drift, 'lines' | 'days' | 'counts'>;

const GRAIN = { per: 'day', by: 'model', names: 'display' } as const;

/** Compares the figures of a connector with the ledger, by day and model; a read, so that no request waits for it. */
export const driftRead: ReadOp<DriftInput, ConnectorDrift> = {
  name: 'reconcile.drift',
  run(reader, input) {
    const lines = compareFigures(readPricer(reader), input);
    return {
      counts: {
        lines: lines.length,
        differing: lines.filter(({ differs }) => differs).length,
        over: lines.filter(({ line }) => line.over).length,
        restated: lines.filter(({ line }) => line.restatedAt !== null).length,
      },
      days: sumByDay(lines.map(({ line }) => line)),
      lines: lines
        .map(({ line }) => line)
        .sort(largestFirst)
        .slice(0, MAX_DRIFT_LINES),
    };
  },
};

function compareFigures(pricer: Pricer, input: DriftInput): { line: DriftLine; differs: boolean }[] {
  const { provider, figures, rows, now } = input;
  const invoice = sumInvoice(provider, figures);
  const first = sumInvoice(
    provider,
    figures.map((figure) => ({ ...figure, amountNano: figure.firstNano ?? figure.amountNano })),
  );
  const books = addUpBooks(rows, { providers: new Set([provider]), grain: GRAIN });
  const changes = new Map<string, number>();
  for (const figure of figures.filter(({ restatedAt }) => restatedAt !== null))
    for (const key of sumInvoice(provider, [figure]).keys())
      changes.set(key, Math.max(changes.get(key) ?? 0, figure.restatedAt ?? 0));
  const prices = { pricer, now, usdFrom: 'export' } as const;
  const keys = [...new Set([...invoice.keys(), ...books.keys()])];
  const lines = keys.map((key) => toLine({ invoice: invoice.get(key), books: books.get(key) }, prices));
  return explainDayBoundaries(lines).map((line, i) => {
    const restatedAt = changes.get(keys[i] ?? '') ?? null;
    const before = first.get(keys[i] ?? '')?.side.usd ?? null;
    const restated = { at: restatedAt, fromUsd: restatedAt === null ? null : before };
    return { line: toDriftLine(line, restated, input), differs: line.differs };
  });
}

/** The figures as lines of an invoice, which know all spellings of a model. */
function sumInvoice(
  provider: ConnectorProvider,
  figures: readonly PlainFigure[],
): ReadonlyMap<string, Line<Side>> {
  const lines = figures.map(
    ({ day, label, amountNano, calls, fresh, cacheRead, cacheWrite, output }): SummedLine => ({
      ...{ day, until: day, provider, model: label, rows: 1 },
      ...{ calls, fresh, cacheRead, cacheWrite, output, usd: amountNano / 1e9, listUsd: null },
    }),
  );
  return addUpInvoice({ layout: 'generic', lines }, GRAIN);
}

type Restated = { readonly at: number | null; readonly fromUsd: number | null };

function toDriftLine(
  line: OutLine,
  restated: Restated,
  { connector, threshold, now }: DriftInput,
): DriftLine {
  const { day, provider, model, invoice, books, reasons } = line;
  const [billed, own] = [usdOf(invoice), usdOf(books)];
  return {
    ...{ connector, day, provider, model, ...sidesOf(billed, own) },
    providerCalls: invoice?.calls ?? null,
    ledgerCalls: books?.calls ?? 0,
    restatedFromUsd: restated.fromUsd,
    restatedAt: restated.at === null ? null : formatInstant(restated.at),
    over: isSettledDay(day, now) && isOver(billed, own, threshold),
    reasons,
  };
}

/** A side that is missing is 0. */
const usdOf = (side: { readonly usd: number | null } | null): number | null => (side === null ? 0 : side.usd);

/** Whether a day is settled: providers report no more of it. */
const isSettledDay = (day: string, now: number): boolean =>
  Date.parse(day) + (1 + SETTLED_AFTER_DAYS) * DAY_MS <= now;

/** The difference in per cent of the larger amount; null if either is unknown. */
function percentOf(provider: number | null, ledger: number | null): number | null {
  if (provider === null || ledger === null) return null;
  const larger = Math.max(Math.abs(provider), Math.abs(ledger));
  return larger === 0 ? 0 : ((ledger - provider) / larger) * 100;
}

/** Whether a difference reaches both thresholds. */
function isOver(provider: number | null, ledger: number | null, { percent, usd }: Threshold): boolean {
  const share = percentOf(provider, ledger);
  return share !== null && Math.abs(share) >= percent && Math.abs((ledger ?? 0) - (provider ?? 0)) >= usd;
}

export type Sides = Drift['total'];

const sidesOf = (providerUsd: number | null, ledgerUsd: number | null): Sides => ({
  ...{ providerUsd, ledgerUsd, driftPercent: percentOf(providerUsd, ledgerUsd) },
  driftUsd: providerUsd === null || ledgerUsd === null ? null : ledgerUsd - providerUsd,
});

/** The sums of what both sides know. */
export function sumSides(sides: readonly Sides[]): Sides {
  const known = sides.filter(({ driftUsd }) => driftUsd !== null);
  if (known.length === 0) return sidesOf(null, null);
  const sum = (of: 'providerUsd' | 'ledgerUsd'): number =>
    known.reduce((total, side) => total + (side[of] ?? 0), 0);
  return sidesOf(sum('providerUsd'), sum('ledgerUsd'));
}

/** The sums of each day, oldest first. */
export const sumByDay = (lines: readonly (Sides & { readonly day: string })[]): Drift['days'] =>
  [...Map.groupBy(lines, ({ day }) => day)]
    .map(([day, own]) => ({ day, ...sumSides(own) }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));

export const largestFirst = (a: DriftLine, b: DriftLine): number =>
  Math.abs(b.driftUsd ?? 0) - Math.abs(a.driftUsd ?? 0) ||
  (a.day < b.day ? 1 : a.day > b.day ? -1 : a.model < b.model ? -1 : 1);
