import { FLAG } from '../columns.ts';
import type { LogBatches } from '../ingest/log-batches.ts';
import type { LogState } from '../ingest/log-part.ts';
import type { Sealed } from '../segments/sealed-part.ts';
import type { Flips } from './flips.ts';
import type { Flip } from './span-counter.ts';

type Parts = {
  readonly log: LogState;
  readonly batches: LogBatches;
  readonly sealed: Sealed;
  readonly flips: { readonly log: Flips; readonly sealed: Flips };
};

/** Changes whether stored events count as calls. Events that are gone, or are counted already as asked, stay. */
export const createFlipStored =
  ({ log, batches, sealed, flips }: Parts) =>
  (project: number, { ts, eventId, counted }: Flip): void => {
    const unsealed = log.find(project, eventId, 0);
    if (unsealed !== null) {
      const { seq, place } = unsealed;
      const sent = ((batches.open(seq).bytes('flags')[place] as number) & FLAG.call) !== 0;
      if ((sent !== flips.log.of(seq).has(place)) !== counted) flips.log.toggle(project, seq, [place]);
      return;
    }
    const found = sealed.find(project, ts, eventId, 0);
    if (found === null) return;
    const { segment, place } = found;
    const written = ((sealed.open(segment).bytes('flags')[place] as number) & FLAG.call) !== 0;
    if ((written !== flips.sealed.of(segment.no).has(place)) === counted) return;
    flips.sealed.toggle(project, segment.no, [place]);
  };
