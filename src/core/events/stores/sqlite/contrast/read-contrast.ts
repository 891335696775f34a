import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import { ratioBefore } from '../../../../../lib/shift.ts';
import type { Contrast, ContrastQuery } from '../../../contrast.ts';
import { chooseCandidates, comparisonOf } from '../../shared/contrast/candidates.ts';
import { addToCells, createCells, toCells } from '../../shared/contrast/cells.ts';
import {
  AFTER,
  addToTally,
  BEFORE,
  createTally,
  toSides,
  type WindowOffset,
} from '../../shared/contrast/tally.ts';
import type { RowValues, Source } from '../../shared/contrast/values.ts';
import { withLabels } from '../labels/label-filter.ts';
import { refuseLost } from '../metrics/gaps.ts';
import { countEvents } from '../queries/count-events.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import type { RowSelection } from '../scan/row-selection.ts';
import { selectEvents } from '../scan/select-events.ts';
import { rowValues } from './row-values.ts';
import { createSources } from './sources.ts';

/** Most calls of both windows together, each of which is read twice: a few seconds. */
const MAX_CALLS = 4_000_000;

/**
 * Compares two windows in every dimension. The first pass sums the calls by value and chooses candidates; the second
 * one sums them by the combination of candidates that they have.
 * @throws AppError 400 if too many calls would have to be read
 */
export function readContrast(reader: Reader, query: ContrastQuery): Contrast {
  refuseTooMany(reader, query);
  const selection = withLabels(reader, { filters: query.filters, calls: true });
  const sourcesOf = createSources(reader);
  const each = (visit: Visit): void => {
    for (const part of partsOf(reader, query, selection)) visit(part.offset, sourcesOf(part.columns), part);
  };
  const tally = createTally();
  each((offset, sources, rows) => addToTally(tally, offset, sources, rows));
  const totals = toSides(tally.totals);
  const comparison = comparisonOf(query, totals);
  const { groups, candidates } = chooseCandidates(tally, comparison, query.values);
  const cells = createCells(candidates);
  const average = comparison.isRatio ? ratioBefore(comparison) : 0;
  each((offset, sources, rows) => addToCells(cells, { offset, average }, sources, rows));
  return { totals, groups, candidates: candidates.slice(0, cells.bits), cells: toCells(cells) };
}

type Rows = RowValues & { readonly mask: Uint8Array };
type Visit = (offset: WindowOffset, sources: readonly Source[], rows: Rows) => void;

function* partsOf(reader: Reader, { window, baseline, measure }: ContrastQuery, selection: RowSelection) {
  for (const [offset, own] of [
    [AFTER, window],
    [BEFORE, baseline],
  ] as const)
    for (const project of reader.projects) {
      refuseLost(reader, project, own);
      for (const ref of chunksOf(reader, project, own)) {
        const selected = selectEvents(ref.open(), selection, own);
        if (selected !== null) yield { offset, ...selected, ...rowValues(selected, measure) };
      }
    }
}

function refuseTooMany(reader: Reader, { window, baseline }: ContrastQuery): void {
  const all = { filters: {}, calls: true };
  const calls = countEvents(reader, all, window) + countEvents(reader, all, baseline);
  if (calls <= MAX_CALLS) return;
  const [most, found] = [MAX_CALLS, calls].map((count) => count.toLocaleString('en-US'));
  throw badRequest(
    `start: at most ${most} calls of both windows are compared, not ${found}; choose less time`,
  );
}
