import { canonicalModel, modelByDisplayName, modelWords } from '../../../core/pricing/index.ts';
import { DAY_MS, startOfMonth } from '../../../lib/time.ts';
import type { Books, Side } from './reasons.ts';
import { addFigures, type ExportSums, figuresOf, type SummedLine } from './sum-export.ts';

/** The figures of a day or month and a model. */
export type Line<S> = {
  /** First day, in days since the epoch. */
  readonly day: number;
  readonly provider: string | null;
  readonly model: string;
  readonly side: S;
};
/** The name that the events of a line have in the ledger, if it is one. */
export type Stored = { readonly provider: string | null; readonly model: string } | null;
export type BooksLine = Line<Books> & { readonly stored: Stored };

/** How the lines of an export are cut. */
export type Grain = {
  readonly per: 'day' | 'month';
  readonly by: 'model' | 'provider';
  readonly names: ExportSums['names'];
};

export const ALL_MODELS = 'all models';
/** A line over more days is billed by the month. */
const MOST_DAYS = 2;

/** An export with lines over several days is compared by month, one without models as a whole. */
export const grainOf = ({ lines, names }: ExportSums): Grain => ({
  per: lines.some(({ day, until }) => until - day >= MOST_DAYS) ? 'month' : 'day',
  by: lines.some(({ model }) => model !== '') ? 'model' : 'provider',
  names,
});

/** The day itself or the first day of its month, in days since the epoch. */
const startOf = (day: number, { per }: Grain): number =>
  per === 'day' ? day : Math.floor(startOfMonth(day * DAY_MS) / DAY_MS);

/** One key for all spellings of a model. */
const keyOf = (start: number, model: string, { by, names }: Grain): string =>
  by === 'provider' ? `${start}` : `${start} ${names === 'display' ? modelWords(model) : model}`;

/** Rounding to cents, row by row, in exports that do so. */
const slackOf = ({ layout }: Pick<ExportSums, 'layout'>): number =>
  layout === 'anthropic-costs' ? 0.005 : 0;

/** An export by day or month and model. */
export function addUpInvoice(
  sums: Pick<ExportSums, 'layout' | 'lines'>,
  grain: Grain,
): Map<string, Line<Side>> {
  const lines = new Map<string, Line<Side>>();
  const names = new Map<string, { provider: string | null; model: string }>();
  const slack = slackOf(sums);
  for (const line of sums.lines) {
    const name = `${line.provider} ${line.model}`;
    const found = names.get(name) ?? nameOf(line, grain);
    names.set(name, found);
    // A line over a month's end belongs to the month that bills it.
    const day = startOf(grain.per === 'month' ? line.until : line.day, grain);
    const side = { ...figuresOf(line), slack: slack * line.rows };
    const key = keyOf(day, found.model, grain);
    const known = lines.get(key);
    lines.set(key, { day, ...found, side: known === undefined ? side : addSides(known.side, side) });
  }
  return lines;
}

function nameOf({ provider, model }: SummedLine, { by, names }: Grain) {
  if (by === 'provider') return { provider, model: ALL_MODELS };
  const shown = provider === null || names === 'ids' ? null : modelByDisplayName(provider, model);
  return shown ?? canonicalModel(provider, model);
}

const addSides = (a: Side, b: Side): Side => ({ ...addFigures(a, b), slack: a.slack + b.slack });

/** Measures that a comparison reads of the ledger. */
export const MEASURES = [
  'requests',
  'cost',
  'unpriced',
  'freshTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'outputTokens',
] as const;

/** The calls of a UTC day, model and provider. */
export type StoredRow = {
  readonly time: number | null;
  readonly provider: string | null;
  readonly model: string | null;
} & Readonly<Record<(typeof MEASURES)[number], number>>;

/** What is stored of these providers; null among them admits all. */
export function addUpBooks(
  rows: readonly StoredRow[],
  { providers, grain }: { readonly providers: ReadonlySet<string | null>; readonly grain: Grain },
): Map<string, BooksLine> {
  const lines = new Map<string, BooksLine>();
  const names = new Map<string, { provider: string | null; model: string }>();
  for (const row of rows) {
    const name = `${row.provider} ${row.model}`;
    const { provider, model } = names.get(name) ?? canonicalModel(row.provider, row.model ?? '');
    names.set(name, { provider, model });
    if (!providers.has(provider) && !providers.has(null)) continue;
    const day = startOf(Math.floor((row.time ?? 0) / DAY_MS), grain);
    const key = keyOf(day, model, grain);
    const known = lines.get(key);
    const side = sideOf(row);
    const sum = known === undefined ? side : { ...addSides(known.side, side), ...countsOf(known.side, side) };
    const own = row.model === null ? null : { provider: row.provider, model: row.model };
    const stored = known === undefined || isSame(known.stored, own) ? own : null;
    lines.set(key, {
      ...{ day, provider, model: grain.by === 'provider' ? ALL_MODELS : model },
      ...{ stored, side: sum },
    });
  }
  return lines;
}

const sideOf = (row: StoredRow): Books => ({
  calls: row.requests,
  fresh: row.freshTokens,
  cacheRead: row.cacheReadTokens,
  cacheWrite: row.cacheWriteTokens,
  output: row.outputTokens,
  usd: row.cost,
  unpriced: row.unpriced,
  listUsd: null,
  slack: 0,
});

const isSame = (a: Stored, b: Stored): boolean => a?.provider === b?.provider && a?.model === b?.model;

const countsOf = (a: Books, b: Books): Pick<Books, 'calls' | 'unpriced'> => ({
  calls: a.calls + b.calls,
  unpriced: a.unpriced + b.unpriced,
});
