import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { ChangeOutcome } from '../../../change.ts';
import { createSegmentCheck } from '../seal/finish-op.ts';
import type { ReadSegment } from '../seal/wire.ts';
import { createPieceReplacement, type ReplacedPieces } from '../segments/replace-pieces.ts';
import { sealedPart } from '../segments/sealed-part.ts';
import type { SumDeltas } from '../sums/sum-deltas.ts';
import { storedSumsPart } from '../sums/sums-part.ts';

/** New pieces of a segment, and what they change in the sums. */
export type PieceEdit = ReplacedPieces & { readonly segment: ReadSegment; readonly sums: SumDeltas };

/** A slice of a change. */
export type CostSlice = {
  readonly project: number;
  readonly edit: PieceEdit | null;
  readonly outcome: ChangeOutcome;
  readonly effects: readonly EffectCall[];
};

/** `ms`: the time before COMMIT. Null if the segment is not as it was read; then nothing was changed. */
export type CostSliceReply = { readonly ms: number } | null;

/** Applies new costs to a segment and the sums, and runs the effects, in one transaction. */
export const editCostsOp: WriteOp<CostSlice, CostSliceReply> = {
  name: 'events.edit_costs',
  open(connection, { share, effects }) {
    const sealed = share(sealedPart);
    const sums = share(storedSumsPart);
    const isAsRead = createSegmentCheck(connection);
    const replacePieces = createPieceReplacement(connection);
    return {
      apply({ project, edit, outcome, effects: calls }) {
        const since = performance.now();
        if (edit !== null && !isAsRead(project, edit.segment)) return null;
        if (edit !== null) replacePieces(project, edit.segment.no, edit);
        effects.apply(calls, outcome);
        try {
          if (edit !== null) sums.add(project, edit.sums);
        } catch (error) {
          sums.forget();
          throw error;
        }
        if (edit !== null) sealed.changed(project, edit.segment.no);
        return { ms: performance.now() - since };
      },
    };
  },
};
