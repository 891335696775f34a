import type { Reader } from '../../../../../db/reader.ts';
import { conflict } from '../../../../../errors.ts';
import { type AppliedPrice, pricesVersion, readPricer } from '../../../../pricing/index.ts';
import type { CallSelection, CostDifference } from '../../../change.ts';
import { readOp } from '../read-op.ts';
import type { Chunk } from '../scan/chunk.ts';
import { openStoredSegment } from '../scan/open-chunks.ts';
import { type StoredSegment, segmentsFrom } from '../segments/stored-segments.ts';
import { type CostEdit, editCosts } from './cost-edit.ts';
import { createDifferences, type Repriced, repriceAt, selectedCalls } from './price-calls.ts';

/** Where a page begins: a segment's number and a place in it. */
export type Position = readonly [segment: number, place: number];

export type PageInput = {
  readonly calls: CallSelection;
  readonly from: Position;
  /** Expected version of the prices; null for the current one. */
  readonly version: string | null;
};

/** A page of a dry run. `next` is the start of the next page, null at the end. */
export type PreviewPage = {
  readonly version: string;
  readonly looked: number;
  readonly changes: number;
  readonly differences: readonly CostDifference[];
  readonly next: Position | null;
};

/** New costs of calls of one segment, if `edit` is not null; `reached` is the position after them. */
export type RepricePage = {
  readonly edit: CostEdit | null;
  readonly reached: Position;
  readonly isLast: boolean;
  /** Prices, as JSON, that have no number yet; then there is no edit. */
  readonly missing: readonly string[];
};

/** Maximum duration of a page, so that other reads get their turn. A segment is not divided. */
const PAGE_MS = 60;
/** Calls of a slice: each keeps its old cost in a row, so that a whole segment would block the writer too long. */
export const MOST_CHANGES = 4_096;

/** Computes what re-pricing some segments would change. @throws AppError 409 for prices of another version */
export const previewRead = readOp('preview-reprice', (reader, input: PageInput): PreviewPage => {
  const differences = createDifferences();
  let [looked, changes] = [0, 0];
  const { reached, isLast, version } = walk(reader, input, (_, chunk, repriced, count) => {
    looked += count;
    changes += repriced.length;
    for (const one of repriced) differences.add(chunk, one);
    return true;
  });
  return { version, looked, changes, differences: differences.list(), next: isLast ? null : reached };
});

/** Prices the calls of the next segment in which a cost changes. @throws AppError 409 as `previewRead` */
export const repriceRead = readOp('reprice', (reader, input: PageInput): RepricePage => {
  let edit: CostEdit | null = null;
  let missing: string[] = [];
  const { reached, isLast } = walk(reader, input, (stored, chunk, repriced) => {
    if (repriced.length === 0) return true;
    const numbers = readPriceNumbers(reader, stored.project, repriced);
    missing = [...numbers].flatMap(([json, number]) => (number === null ? json : []));
    if (missing.length > 0) return false;
    const numberOf = numberedBy(numbers);
    const costs = repriced.map(({ place, cost, status, price }) => ({
      place,
      next: [cost, status, price === null ? null : numberOf(price)] as const,
    }));
    edit = editCosts(reader, { stored, chunk }, costs);
    return false;
  });
  return { edit, reached, isLast, missing };
});

/** Is called with the calls of a segment whose cost changes, and the number of examined ones. False ends the walk. */
type Visit = (stored: StoredSegment, chunk: Chunk, repriced: readonly Repriced[], looked: number) => boolean;

function walk(reader: Reader, { calls, from, version: expected }: PageInput, visit: Visit) {
  const pricer = readPricer(reader);
  const version = pricesVersion(reader);
  if (expected !== null && expected !== version)
    throw conflict('Prices have changed since the dry run; start another one');
  const since = performance.now();
  let reached = from;
  for (const stored of segmentsFrom(reader, reader.projects[0] ?? 0, from[0])) {
    if (stored.last >= calls.from && stored.first < calls.to) {
      if (performance.now() - since > PAGE_MS) return { reached, isLast: false, version };
      const chunk = openStoredSegment(reader, stored);
      const start = stored.no === from[0] ? from[1] : 0;
      const { repriced, looked, end } = repriceChunk(chunk, start, { calls, pricer });
      reached = end < stored.events ? [stored.no, end] : [stored.no + 1, 0];
      const goesOn = visit(stored, chunk, repriced, looked);
      if (!goesOn || end < stored.events) return { reached, isLast: false, version };
    } else reached = [stored.no + 1, 0];
  }
  return { reached, isLast: true, version };
}

function repriceChunk(
  chunk: Chunk,
  start: number,
  { calls, pricer }: { readonly calls: CallSelection; readonly pricer: ReturnType<typeof readPricer> },
): { repriced: Repriced[]; looked: number; end: number } {
  const mask = selectedCalls(chunk, calls) ?? new Uint8Array();
  const repriced: Repriced[] = [];
  let looked = 0;
  for (let place = start; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    if (repriced.length === MOST_CHANGES) return { repriced, looked, end: place };
    looked++;
    const change = repriceAt(chunk, place, pricer);
    if (change !== null) repriced.push(change);
  }
  return { repriced, looked, end: chunk.events };
}

/** The numbers of the prices of some calls by their JSON; null for a new price. */
function readPriceNumbers(
  reader: Reader,
  project: number,
  repriced: readonly Repriced[],
): Map<string, number | null> {
  const prices = new Set(repriced.flatMap(({ price }) => price ?? []));
  const texts = new Set([...prices].map((price) => JSON.stringify(price)));
  return new Map(
    [...texts].map((json) => {
      const [row] = reader.rows('SELECT id FROM event_prices WHERE project = ? AND json = ?', [
        project,
        json,
      ]);
      return [json, row === undefined ? null : Number(row[0])];
    }),
  );
}

/** Calls share price objects, so that each is converted to JSON once. */
function numberedBy(numbers: ReadonlyMap<string, number | null>): (price: AppliedPrice) => number | null {
  const known = new Map<AppliedPrice, number | null>();
  return (price) => {
    const number = known.get(price) ?? numbers.get(JSON.stringify(price)) ?? null;
    known.set(price, number);
    return number;
  };
}
