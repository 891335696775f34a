import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import { rowsFrom } from '../../sqlite/rollups/split-window.ts';
import { segmentsOf } from '../scan/open-chunks.ts';

/** A part of a window in epoch milliseconds: whole units of sums, or null for sealed events one by one. */
export type SealedPart = Window & { readonly unit: number | null };

/**
 * Splits a window so that each sealed event counts exactly once as a stored event. Sums also contain events that
 * retention deleted, so where it has run, events that arrived late are counted one by one.
 * @param units lengths of time that sums cover, in milliseconds, coarse to fine
 */
export function splitSealed(
  reader: Reader,
  project: number,
  { from, to }: Window,
  units: readonly number[],
): SealedPart[] {
  const complete = rowsFrom(reader, project);
  const whole = widen(reader, project, { from: Math.max(from, complete), to }, units);
  return [
    ...split({ from, to: Math.min(to, complete) }, []),
    ...split({ from: Math.max(whole.from, complete), to: whole.to }, units),
  ];
}

function split({ from, to }: Window, [unit, ...finer]: readonly number[]): SealedPart[] {
  if (from >= to) return [];
  if (unit === undefined) return [{ unit: null, from, to }];
  const first = Math.ceil(from / unit) * unit;
  const end = Math.floor(to / unit) * unit;
  if (first >= end) return split({ from, to }, finer);
  return [
    ...split({ from, to: first }, finer),
    { unit, from: first, to: end },
    ...split({ from: end, to }, finer),
  ];
}

/** Extends the bounds to whole units if no segment has events in between. So a window that ends now needs no scan. */
function widen(reader: Reader, project: number, window: Window, units: readonly number[]): Window {
  if (window.from >= window.to) return window;
  const isEmpty = (from: number, to: number): boolean =>
    from === to || segmentsOf(reader, project, { from, to }).length === 0;
  let { from, to } = window;
  for (const unit of units.toReversed()) {
    const start = Math.floor(from / unit) * unit;
    const end = Math.ceil(to / unit) * unit;
    if (isEmpty(start, from)) from = start;
    if (isEmpty(to, end)) to = end;
  }
  return { from, to };
}
