import type { Reader } from '../../../../../db/reader.ts';
import { conflict } from '../../../../../errors.ts';
import { type AppliedPrice, pricesVersion, readPricer } from '../../../../pricing/index.ts';
import type { CallSelection, CostDifference } from '../../../change.ts';
import { readOp } from '../read-op.ts';
import type { Chunk } from '../scan/chunk.ts';
import { openStoredSegment } from '../scan/open-chunks.ts';
import { type StoredSegment, segmentsFrom } from '../segments/stored-segments.ts';
import { type CostEdit, editCosts } from './cost-edit.ts';
import { createDifferences, type Repriced, repricerOf, selectedCalls } from './price-calls.ts';

export type PageInput = {
  readonly calls: CallSelection;
  /** Number of the segment to begin with. */
  readonly from: number;
  /** Expected version of the prices; null for the current one. */
  readonly version: string | null;
};

/** A page of a dry run. `next` is the start of the next page, null at the end. */
export type PreviewPage = {
  readonly version: string;
  readonly looked: number;
  readonly changes: number;
  /** On the last page only. */
  readonly unreadable: number;
  readonly differences: readonly CostDifference[];
  readonly next: number | null;
};

/** New costs of the calls of one segment, if `edit` is not null; `reached` is the number to go on with. */
export type RepricePage = {
  readonly edit: CostEdit | null;
  readonly reached: number;
  readonly isLast: boolean;
  /** Prices, as JSON, that have no number yet; then there is no edit. */
  readonly missing: readonly string[];
};

/** Maximum duration of a page, so that other reads get their turn. A segment is not divided. */
const PAGE_MS = 60;

/** Computes what re-pricing some segments would change. @throws AppError 409 for prices of another version */
export const previewRead = readOp('preview-reprice', (reader, input: PageInput): PreviewPage => {
  const differences = createDifferences();
  let [looked, changes] = [0, 0];
  const { reached, isLast, version } = walk(reader, input, (_, chunk, repriced, count) => {
    looked += count;
    changes += repriced.length;
    differences.add(chunk, repriced);
    return true;
  });
  const unreadable = isLast ? countUnreadable(reader, input.calls) : 0;
  return {
    version,
    looked,
    changes,
    unreadable,
    differences: differences.list(),
    next: isLast ? null : reached,
  };
});

/** The events of damaged segments in a window. */
function countUnreadable(reader: Reader, { from, to }: CallSelection): number {
  const [row] = reader.rows(
    'SELECT total(events) FROM event_segments WHERE ready > 1 AND last_ts >= ? AND first_ts < ?',
    [from, to],
  );
  return Number(row?.[0]);
}

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
  for (const stored of segmentsFrom(reader, reader.projects[0] ?? 0, from)) {
    if (stored.last >= calls.from && stored.first < calls.to) {
      if (performance.now() - since > PAGE_MS) return { reached, isLast: false, version };
      const chunk = openStoredSegment(reader, stored);
      const { repriced, looked } = repriceChunk(chunk, calls, pricer);
      reached = stored.no + 1;
      if (!visit(stored, chunk, repriced, looked)) return { reached, isLast: false, version };
    } else reached = stored.no + 1;
  }
  return { reached, isLast: true, version };
}

function repriceChunk(
  chunk: Chunk,
  calls: CallSelection,
  pricer: ReturnType<typeof readPricer>,
): { repriced: Repriced[]; looked: number } {
  const mask = selectedCalls(chunk, calls);
  const repriced: Repriced[] = [];
  if (mask === null) return { repriced, looked: 0 };
  const repriceAt = repricerOf(chunk, pricer);
  let looked = 0;
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    looked++;
    const change = repriceAt(place);
    if (change !== null) repriced.push(change);
  }
  return { repriced, looked };
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
