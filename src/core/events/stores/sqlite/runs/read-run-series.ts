import type { Reader } from '../../../../../db/reader.ts';
import type { RunSeriesQuery } from '../../../query/run-series.ts';
import type { SeriesPart } from '../../../series.ts';
import { toRunPart } from '../../shared/runs/run-part.ts';
import { readRuns } from './read-runs.ts';
import { type FoundRows, rowsIn } from './stored-rows.ts';

/** Sums of runs in steps, each in the step in which it began. The rows of a range are read once for all its shapes. */
export function readRunSeries(reader: Reader, { shapes, ranges }: RunSeriesQuery): SeriesPart[] {
  return ranges.flatMap((range, place) => {
    const rows = new Map<number, FoundRows[]>();
    const source = (asked: Reader, about: Parameters<typeof rowsIn>[1]): readonly FoundRows[] => {
      const known = rows.get(about.project) ?? [...rowsIn(asked, about)];
      rows.set(about.project, known);
      return known;
    };
    return range.shapes.flatMap((shape) => {
      const asked = shapes[shape];
      if (asked === undefined) return [];
      const { filters, groupBy } = asked;
      const dimensions = groupBy === null ? [] : [groupBy];
      const found = readRuns(reader, { groupBy: dimensions, filters, window: range }, source);
      return found.runs.count() === 0
        ? []
        : [{ range: place, shape, ...toRunPart(found, asked, range.step) }];
    });
  });
}
