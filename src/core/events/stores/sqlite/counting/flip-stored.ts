import { FLAG } from '../columns.ts';
import type { LogBatches } from '../ingest/log-batches.ts';
import type { LogState } from '../ingest/log-part.ts';
import type { SegmentRow } from '../segments/open-segment.ts';
import type { Sealed } from '../segments/sealed-part.ts';
import type { StoredSums } from '../sums/sums-part.ts';
import type { Flips } from './flips.ts';
import type { Flip } from './span-counter.ts';
import { createToggleSealed } from './toggle-sealed.ts';

type Parts = {
  readonly log: LogState;
  readonly batches: LogBatches;
  readonly sealed: Sealed;
  readonly sums: StoredSums;
  readonly flips: { readonly log: Flips; readonly sealed: Flips };
};

/** Changes whether stored events count as calls. Events that are gone, or are counted already as asked, stay. */
export type FlipStored = (project: number, changes: readonly Flip[]) => void;

export function createFlipStored({ log, batches, sealed, sums, flips }: Parts): FlipStored {
  const toggleSealed = createToggleSealed({ sealed, sums, flips: flips.sealed });

  function flipUnsealed(project: number, seq: number, place: number, counted: boolean): void {
    const flags = batches.open(seq)?.bytes('flags');
    if (flags === undefined) return;
    const sent = isCall(flags, place);
    if ((sent !== flips.log.of(seq).has(place)) !== counted) flips.log.toggle(project, seq, [place]);
  }

  function flipSealed(segment: SegmentRow, wanted: ReadonlyMap<number, boolean>): void {
    const flags = sealed.unlessDamaged(segment, 'flags', null, () => sealed.open(segment).bytes('flags'));
    if (flags === null) return;
    const flipped = flips.sealed.of(segment.no);
    const places = [...wanted].filter(
      ([place, counted]) => (isCall(flags, place) !== flipped.has(place)) !== counted,
    );
    toggleSealed(
      segment,
      places.map(([place]) => place),
    );
  }

  return (project, changes) => {
    const ofSegments = new Map<SegmentRow, Map<number, boolean>>();
    for (const { ts, eventId, counted } of changes) {
      const unsealed = log.find(project, eventId, 0);
      // A batch may contain a duplicate of a sealed event.
      if (unsealed !== null && batches.open(unsealed.seq)?.present()[unsealed.place] === 1) {
        flipUnsealed(project, unsealed.seq, unsealed.place, counted);
        continue;
      }
      const found = sealed.find(project, ts, eventId, 0);
      if (found === null) continue;
      const own = ofSegments.get(found.segment) ?? new Map<number, boolean>();
      ofSegments.set(found.segment, own.set(found.place, counted));
    }
    for (const [segment, wanted] of ofSegments) flipSealed(segment, wanted);
  };
}

const isCall = (flags: Uint8Array, place: number): boolean => ((flags[place] as number) & FLAG.call) !== 0;
