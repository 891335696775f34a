import { sketchBin } from '../../../../../lib/sketch.ts';
import type { Division } from '../../../../../lib/time-buckets.ts';
import type { SeriesPart, SeriesQuery, SeriesShape } from '../../../series.ts';
import { dimensionValue } from '../../shared/metrics/dimensions.ts';
import { groupId } from '../../shared/metrics/groups.ts';
import type { Engine } from '../engine/engine.ts';
import type { Calls } from './calls.ts';
import { readGroups, readTimes } from './read-calls.ts';

/** Steps of equal length, by number. */
const stepsOf = (ms: number): Division => ({
  numberOf: (ts) => Math.floor(ts / ms),
  startOf: (number) => number * ms,
  fixed: { ms, shift: 0 },
});

/** Sums of calls in steps, of each shape in each range. */
export async function readSeries(
  engine: Engine,
  projects: readonly number[],
  { shapes, ranges }: SeriesQuery,
): Promise<SeriesPart[]> {
  const parts = await Promise.all(
    ranges.flatMap((window, range) =>
      window.shapes.map(async (place) => {
        const shape = shapes[place];
        if (shape === undefined) return [];
        const dimensions = shape.groupBy === null ? [] : [shape.groupBy];
        const calls = { filters: shape.filters, window, dimensions, division: stepsOf(window.step) };
        const part = await readPart(engine, projects, calls, shape);
        return part.cells.length === 0 ? [] : [{ range, shape: place, ...part }];
      }),
    ),
  );
  return parts.flat();
}

async function readPart(
  engine: Engine,
  projects: readonly number[],
  calls: Calls,
  { groupBy, sums, times }: SeriesShape,
): Promise<Omit<SeriesPart, 'range' | 'shape'>> {
  const [found, ...timed] = await Promise.all([
    readGroups(engine, projects, calls, sums),
    ...times.map((time) => readTimes(engine, projects, calls, time)),
  ]);
  const groups = new Map<string, number>();
  const cells: number[] = [];
  for (const { key, sums: own } of found.values()) {
    const [step, value = null] = key;
    const name = groupBy === null ? '' : (dimensionValue(groupBy, value) ?? '');
    const group = groups.get(name) ?? groups.size;
    groups.set(name, group);
    cells.push(Number(step), group, ...sums.map((sum) => own[sum]));
  }
  const bins = timed.map((values) => {
    const byKey = new Map<string, Map<number, number>>();
    for (const { key, micros, calls: count } of values) {
      const id = groupId(key);
      const own = byKey.get(id) ?? new Map<number, number>();
      byKey.set(id, own);
      const bin = sketchBin(micros);
      own.set(bin, (own.get(bin) ?? 0) + count);
    }
    return byKey;
  });
  return {
    groups: [...groups.keys()],
    cells,
    times: [...found.keys()].flatMap((id) => bins.map((byKey) => [...(byKey.get(id) ?? [])].flat())),
  };
}
