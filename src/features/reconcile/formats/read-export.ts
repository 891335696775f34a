import { badRequest } from '../../../errors.ts';
import type { Layout } from '../contract.ts';
import { LAYOUT_NAMES } from '../layout-names.ts';
import { anthropicCosts, anthropicUsage } from './anthropic.ts';
import { awsCur } from './aws.ts';
import { azureCosts } from './azure.ts';
import { columnsOf, toHeading } from './columns.ts';
import type { ApartRow, ExportFormat, InvoiceRow, ReadRow, RowReader } from './format.ts';
import { googleBilling } from './google-cloud.ts';
import { openaiCosts, openaiUsage } from './openai.ts';
import { openrouterActivity } from './openrouter.ts';
import { parseCsv } from './parse-csv.ts';
import { plainCsv } from './plain.ts';

/** The plain one last: its columns are in other exports too. */
const FORMATS: readonly ExportFormat[] = [
  ...[anthropicCosts, anthropicUsage, openaiUsage, openaiCosts, openrouterActivity],
  ...[googleBilling, awsCur, azureCosts, plainCsv],
];

/** An invoice's cost table has its own facts above the headings. */
const MAX_PREAMBLE = 30;
const MAX_IGNORED = 20;
const MAX_SHOWN = 12;
const MAX_LABELS = 5;

/** What an export is, without its lines. */
export type ExportHead = {
  readonly layout: Layout;
  readonly provider: string | null;
  readonly names: ExportFormat['names'];
  readonly ignored: readonly { readonly row: number; readonly why: string }[];
};

/** Takes the lines of an export one by one, because all of them take ten times the memory of the file. */
export type LineSink = { line(line: InvoiceRow): void; apart(line: ApartRow): void };

/** Which of an account's lines count. An unset field admits all. */
export type ExportFilter = { readonly account?: string | undefined; readonly key?: string | undefined };

/**
 * Reads an export in UTF-8 by its headings.
 * @param sink takes the lines that the filter admits, in the order of the file
 * @throws AppError 400 for bytes that are not CSV in UTF-8, for an export that no format reads, and for one without a
 *   readable row
 */
export function readExport(csv: Uint8Array, filter: ExportFilter, sink: LineSink): ExportHead {
  const seen: Seen = { rows: 0, lines: 0, apart: 0, labels: new Set(), ignored: [] };
  const top: string[][] = [];
  let found: Found | null = null;
  const add = ({ reader, first }: Found, row: readonly string[]): void =>
    sortRow(reader(row), { row, filter, at: first + seen.rows++, seen, sink });
  const begin = (): Found => {
    const format = findFormat(top);
    for (const row of top.slice(format.first - 1)) add(format, row);
    return format;
  };
  parseCsv(csv, (row) => {
    if (found !== null) add(found, row);
    else if (top.push(row) > MAX_PREAMBLE) found = begin();
  });
  const { format } = found ?? begin();
  if (seen.lines === 0) throw nothingRead(format, seen, filter);
  const { layout, provider, names } = format;
  return { layout, provider, names, ignored: seen.ignored };
}

/** A format, its reader for the headings of the export, and the line of the first row below them. */
type Found = { readonly format: ExportFormat; readonly reader: RowReader; readonly first: number };

/** @param candidates the first rows of the export, of which one is the header row */
function findFormat(candidates: readonly (readonly string[])[]): Found {
  for (const [above, candidate] of candidates.entries()) {
    const names = candidate.map(toHeading);
    const format = FORMATS.find(({ known }) =>
      known.every((one) => one.some((name) => names.includes(name))),
    );
    if (format === undefined) continue;
    const preamble = candidates
      .slice(0, above)
      .map(([name = '', value = '']) => [toHeading(name), value] as const);
    const reader = format.reader(columnsOf(names, new Map(preamble)));
    return { format, reader, first: above + 2 };
  }
  throw unknownHeadings((candidates[0] ?? []).map(toHeading));
}

function unknownHeadings(headings: readonly string[]): Error {
  const shown = headings.slice(0, MAX_SHOWN).map((name) => name.slice(0, 40));
  const more = headings.length > MAX_SHOWN ? ` and ${headings.length - MAX_SHOWN} more` : '';
  const near = FORMATS.filter(({ layout }) => layout !== 'generic').find(({ known }) =>
    known.some((one) => one.some((name) => headings.includes(name))),
  );
  const missing = near?.known.filter((one) => !one.some((name) => headings.includes(name)));
  const hint =
    near === undefined || missing === undefined
      ? ''
      : `; ${LAYOUT_NAMES[near.layout]} also has ${missing.map(([name]) => name).join(', ')}`;
  const names = FORMATS.map(({ layout }) => LAYOUT_NAMES[layout]).join(', ');
  return badRequest(
    `the header row matches no supported export: ${shown.join(', ')}${more}${hint}. Supported: ${names}. A plain CSV has date, model, calls, input_tokens, cached_input_tokens, output_tokens and cost_usd`,
  );
}

/** What a file had so far: rows, lines and amounts apart that the filter admits, and the first labels of the latter. */
type Seen = {
  rows: number;
  lines: number;
  apart: number;
  readonly labels: Set<string>;
  readonly ignored: { row: number; why: string }[];
};
type RowContext = {
  readonly row: readonly string[];
  readonly filter: ExportFilter;
  /** Its line in the export. */
  readonly at: number;
  readonly seen: Seen;
  readonly sink: LineSink;
};

/** Hands over what a row says. */
function sortRow(read: readonly ReadRow[], { row, filter, at, seen, sink }: RowContext): void {
  const admits = ({ account, key }: Exclude<ReadRow, string>): boolean =>
    (filter.account === undefined || account === filter.account) &&
    (filter.key === undefined || key === filter.key);
  for (const found of read) {
    const why = typeof found === 'string' ? found : faultOf(found, row);
    if (why !== null) {
      if (seen.ignored.length < MAX_IGNORED) seen.ignored.push({ row: at, why });
    } else if (typeof found !== 'string' && admits(found)) {
      if ('apart' in found) {
        seen.apart++;
        if (seen.labels.size < MAX_LABELS) seen.labels.add(found.label);
        sink.apart(found);
      } else {
        seen.lines++;
        sink.line(found);
      }
    }
  }
}

const NUMBERS = ['calls', 'fresh', 'cacheRead', 'cacheWrite', 'output', 'usd', 'listUsd'] as const;

/** Sums of larger numbers would not be exact, or finite. */
const LARGEST = 1e12;
const isSane = (value: number | null): boolean => value === null || Math.abs(value) <= LARGEST;

/** Why a row cannot be read; null if it can. */
function faultOf(found: Exclude<ReadRow, string>, row: readonly string[]): string | null {
  if ('apart' in found) return isSane(found.amount) ? null : 'its amount is no number';
  if (Number.isNaN(found.day)) {
    const [text = ''] = row.filter((field) => field.trim() !== '');
    return `${JSON.stringify(text.trim().slice(0, 40))} is no time`;
  }
  const bad = NUMBERS.find((name) => !isSane(found[name]));
  return bad === undefined ? null : `its ${bad} is no number`;
}

function nothingRead(
  { layout }: ExportFormat,
  { rows, apart, labels, ignored }: Seen,
  filter: ExportFilter,
): Error {
  const name = LAYOUT_NAMES[layout];
  if (filter.account !== undefined || filter.key !== undefined)
    return badRequest(
      `no line of this ${name} export is of ${[filter.account, filter.key].filter((one) => one !== undefined).join(', ')}`,
    );
  if (apart > 0)
    return badRequest(
      `this ${name} export has ${rows} rows and none bills tokens of a model; it has ${[...labels].join(', ')}. Export it grouped by model, line item or SKU`,
    );
  if (ignored.length === 0) return badRequest(`this ${name} export has no line with usage`);
  return badRequest(`no row of the export could be read: ${ignored[0]?.why ?? ''}`);
}
