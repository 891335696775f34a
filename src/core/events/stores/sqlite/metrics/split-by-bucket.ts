import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { Division } from '../../../../../lib/time-buckets.ts';
import type { Window } from '../../../selection.ts';
import { gapsOf, overGaps } from './gaps.ts';
import { type Parts, splitWindow } from './split-window.ts';

/** Parts of a project of the scope. `bucket`: the number of the only bucket that they are about; null for any. */
export type PlanPart = { readonly project: number; readonly parts: Parts; readonly bucket: number | null };

const NO_TIME: Window = { from: 0, to: 0 };

/**
 * Splits a window of a project for buckets that do not start at UTC days: each bucket's sealed events like a window of its
 * own, so that it uses whole days and hours of sums, even if it starts at half past. Unsealed events are scanned once.
 */
export function splitByBucket(
  reader: Reader,
  project: number,
  window: Window,
  division: Division,
): PlanPart[] {
  const sealed: PlanPart[] = [];
  if (window.from >= window.to) return sealed;
  const gaps = gapsOf(reader, project);
  // Where events are deleted, an hour can't be divided: it belongs to the bucket in which it ends.
  const cut = (time: number): number => overGaps({ from: time, to: time + 1 }, HOUR_MS, gaps).from;
  const last = division.numberOf(window.to - 1);
  for (let bucket = division.numberOf(window.from); bucket <= last; bucket++) {
    const start = division.startOf(bucket);
    const own = {
      from: start > window.from ? cut(start) : window.from,
      to: bucket < last ? cut(division.startOf(bucket + 1)) : window.to,
    };
    if (own.from >= own.to) continue;
    const parts = splitWindow(reader, project, own, DAY_MS);
    sealed.push({ project, bucket, parts: { ...parts, unsealed: NO_TIME } });
  }
  const { unsealed } = splitWindow(reader, project, window, DAY_MS);
  return [...sealed, { project, bucket: null, parts: { sums: [], ends: [], unsealed } }];
}
