import type { Connection } from '../../../../../db/connection.ts';
import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { ErasureOutcome } from '../../../deletion.ts';
import { createFinish, type Finish } from '../seal/finish-op.ts';

/** A slice of an erasure. `keys`: as in `ErasedSegment`; `finish` is null if no segment changes. */
export type EraseSlice = {
  readonly project: number;
  readonly finish: Finish | null;
  readonly keys: string;
  readonly outcome: ErasureOutcome;
  readonly effects: readonly EffectCall[];
};

/**
 * Replaces a segment by one without the user's events, subtracts them from the sums, deletes what is kept of them
 * elsewhere and runs the effects. False if the segment is not as it was read; then nothing is changed.
 */
export const eraseSegmentOp: WriteOp<EraseSlice, boolean> = {
  name: 'events.erase_segment',
  open(connection, env) {
    const finishSegments = createFinish(connection, env);
    const removeTraces = createRemoval(connection);
    return {
      apply({ project, finish, keys, outcome, effects }) {
        if (finish === null) {
          env.effects.apply(effects, outcome);
          return true;
        }
        const { outcome: result } = finishSegments(finish, () => {
          removeTraces(project, keys);
          env.effects.apply(effects, outcome);
        });
        return result === 'sealed';
      },
    };
  },
};

/** Re-pricings of project ?1 with kept costs, by one index step each instead of a scan. */
const REPRICINGS = `WITH RECURSIVE kept (id) AS (
    SELECT min(repricing) FROM repriced_events WHERE project = ?1
    UNION ALL
    SELECT (SELECT min(repricing) FROM repriced_events WHERE project = ?1 AND repricing > kept.id)
    FROM kept WHERE kept.id IS NOT NULL
  ) SELECT id FROM kept WHERE id IS NOT NULL`;

/** Deletes the times of first receipt, and the kept costs, of events. */
function createRemoval(connection: Connection): (project: number, keys: string) => void {
  const removeUndated = connection.prepare(
    `DELETE FROM undated_events WHERE project = ?1
     AND event_id IN (SELECT unhex(value ->> 1) FROM json_each(?2))`,
  );
  const removeRepriced = connection.prepare(
    `DELETE FROM repriced_events WHERE project = ?1 AND repricing IN (${REPRICINGS})
     AND (ts, event_id) IN (SELECT value ->> 0, unhex(value ->> 1) FROM json_each(?2))`,
  );
  return (project, keys) => {
    removeUndated.run([project, keys]);
    removeRepriced.run([project, keys]);
  };
}
