import type { Reader } from '../../../../../db/reader.ts';
import { TIME_BINS, TIME_BOUNDS, timeBin } from '../../../../../lib/ranges/time-bins.ts';
import { SKETCH_VALUES, type Sketch } from '../../../../../lib/sketch.ts';
import type { CallTime } from '../../../measures.ts';
import type { Histogram } from '../../../metrics.ts';
import { groupId } from '../../shared/metrics/groups.ts';
import { type Plan, scanParts } from './metrics-plan.ts';
import { EXACT_LIMIT, eachMicros, hasHoles, readSketches, wholeWindow } from './percentiles.ts';

/** Calls by bin, for each bucket by its number; the whole window is one bucket without them. */
type Counted = { readonly byBucket: ReadonlyMap<string, Float64Array>; readonly isExact: boolean };

const NO_BUCKET = 'all';
const bucketId = (plan: Plan, key: readonly unknown[]): string =>
  plan.division === null ? NO_BUCKET : String(key[0]);

/**
 * Counts the calls of a plan by their times: one by one up to `EXACT_LIMIT` calls, else from the histograms of the
 * roll-ups, whose bins are within 1 % of the time.
 * @param expected the number of calls with a time
 * @param buckets numbers of the buckets to tell apart; none without buckets
 */
export function readHistogram(
  reader: Reader,
  plan: Plan,
  { time, expected }: { readonly time: CallTime; readonly expected: number },
  buckets: readonly number[],
): Histogram {
  const { byBucket, isExact } = count(reader, plan, time, expected);
  const all = new Float64Array(TIME_BINS);
  for (const counts of byBucket.values())
    for (const [bin, calls] of counts.entries()) all[bin] = (all[bin] ?? 0) + calls;
  const first = all.findIndex((calls) => calls !== 0);
  const end = all.findLastIndex((calls) => calls !== 0) + 1;
  const shown = (counts: Float64Array): number[] => (first === -1 ? [] : [...counts.subarray(first, end)]);
  const none = new Float64Array(TIME_BINS);
  return {
    isExact,
    bounds: first === -1 ? [] : TIME_BOUNDS.slice(first, end + 1),
    counts: shown(all),
    ...(plan.division === null
      ? {}
      : { series: buckets.map((bucket) => shown(byBucket.get(String(bucket)) ?? none)) }),
  };
}

function count(reader: Reader, plan: Plan, time: CallTime, expected: number): Counted {
  if (expected <= EXACT_LIMIT && !hasHoles(reader, plan)) {
    const { byBucket, all } = countCalls(reader, plan, time);
    if (all === expected || time === 'ttft') return { byBucket, isExact: true };
  }
  const keys = new Map<string, string>();
  const sketches = readSketches(reader, plan, {
    time,
    targets: (key) => {
      const bucket = plan.division === null ? [] : [key[0] ?? null];
      keys.set(groupId(bucket), bucketId(plan, key));
      return [bucket];
    },
  });
  const byBucket = new Map(
    [...sketches].map(([id, sketch]) => [keys.get(id) ?? NO_BUCKET, binsOf(sketch)] as const),
  );
  return { byBucket, isExact: false };
}

function countCalls(
  reader: Reader,
  plan: Plan,
  time: CallTime,
): { readonly byBucket: Map<string, Float64Array>; readonly all: number } {
  const byBucket = new Map<string, Float64Array>();
  let all = 0;
  for (const part of wholeWindow(reader, plan))
    for (const matches of scanParts(reader, plan, part))
      eachMicros(matches, time, (key) => {
        const id = bucketId(plan, key);
        const counts = byBucket.get(id) ?? new Float64Array(TIME_BINS);
        byBucket.set(id, counts);
        return (micros) => {
          all++;
          const bin = timeBin(micros / 1000);
          counts[bin] = (counts[bin] ?? 0) + 1;
        };
      });
  return { byBucket, all };
}

/** For each bin of a sketch the bin of the times that it stands for. */
const BIN_OF_SKETCH = SKETCH_VALUES.map((micros) => timeBin(micros / 1000));

function binsOf(sketch: Sketch): Float64Array {
  const bins = new Float64Array(TIME_BINS);
  for (const [place, calls] of sketch.entries()) {
    const bin = BIN_OF_SKETCH[place] ?? 0;
    if (calls !== 0) bins[bin] = (bins[bin] ?? 0) + calls;
  }
  return bins;
}
