import type { Reader } from '../../../../../db/reader.ts';
import { badRequest } from '../../../../../errors.ts';
import type { Contrast, ContrastQuery } from '../../../contrast.ts';
import { compareWindows, isRatioMeasure, type WindowPart } from '../../shared/contrast/compare-windows.ts';
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
 * Compares two windows in every dimension, see `compareWindows`.
 * @throws AppError 400 if too many calls would have to be read
 */
export function readContrast(reader: Reader, query: ContrastQuery): Contrast {
  refuseTooMany(reader, query);
  const selection = withLabels(reader, { filters: query.filters, calls: true });
  const sourcesOf = createSources(reader);
  return compareWindows({ ...query, isRatio: isRatioMeasure(query.measure) }, () =>
    partsOf(reader, query, { selection, sourcesOf }),
  );
}

function* partsOf(
  reader: Reader,
  { window, baseline, measure }: ContrastQuery,
  {
    selection,
    sourcesOf,
  }: { readonly selection: RowSelection; readonly sourcesOf: ReturnType<typeof createSources> },
): Generator<WindowPart> {
  for (const [of, own] of [
    ['window', window],
    ['baseline', baseline],
  ] as const)
    for (const project of reader.projects) {
      refuseLost(reader, project, own);
      for (const ref of chunksOf(reader, project, own)) {
        const selected = selectEvents(ref.open(), selection, own);
        if (selected === null) continue;
        const { columns, mask } = selected;
        yield { of, mask, sources: sourcesOf(columns), ...rowValues(selected, measure) };
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
