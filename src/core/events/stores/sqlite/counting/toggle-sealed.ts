import { flipCalls } from '../scan/flip-calls.ts';
import { type Gathered, gatheredAt } from '../segments/gather.ts';
import type { SegmentRow } from '../segments/open-segment.ts';
import type { Sealed } from '../segments/sealed-part.ts';
import { sumDeltasOf } from '../sums/sum-deltas.ts';
import type { StoredSums } from '../sums/sums-part.ts';
import type { Flips } from './flips.ts';

/** Changes whether events at places of a segment count as calls, and the sums with them. */
export type ToggleSealed = (segment: SegmentRow, places: readonly number[]) => void;

type Parts = { readonly sealed: Sealed; readonly sums: StoredSums; readonly flips: Flips };

export const createToggleSealed =
  ({ sealed, sums, flips }: Parts): ToggleSealed =>
  (segment, places) => {
    if (places.length === 0) return;
    const { project, no } = segment;
    const deltas = sealed.unlessDamaged(segment, 'calls', [], () => {
      const written = sealed.open(segment);
      const flags = flipCalls(written.bytes('flags'), [...flips.of(no)]);
      /** The events with these flags; the other columns stay. */
      const rowsWith = (own: Uint8Array): Gathered =>
        gatheredAt(
          { ...written, bytes: (column) => (column === 'flags' ? own : written.bytes(column)) },
          places,
        );
      return [sumDeltasOf(rowsWith(flags), -1), sumDeltasOf(rowsWith(flipCalls(flags, places)))];
    });
    // Sums and flags agree: those of a damaged segment stay as they are.
    if (deltas.length === 0) return;
    flips.toggle(project, no, places);
    for (const delta of deltas) sums.add(project, delta);
  };
