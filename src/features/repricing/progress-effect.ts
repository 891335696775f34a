import type { ChangeOutcome } from '../../core/events/index.ts';
import type { Effect } from '../../db/effects.ts';
import { conflict } from '../../errors.ts';

/** The re-pricing of a slice, its state, and the time in epoch milliseconds. */
export type Progress = {
  readonly id: string;
  readonly state: 'applying' | 'undoing';
  readonly now: number;
};

/**
 * Updates the cursor and the figures of a re-pricing with each slice. Throws 409, which rejects the slice, if the
 * re-pricing's state was changed concurrently.
 */
export const progressEffect: Effect<Progress, ChangeOutcome, void> = {
  name: 'repricing.progress',
  open(connection) {
    const apply = connection.prepare(
      `UPDATE repricings SET cursor = ?, applied = applied + ?, applied_nano = applied_nano + ?, updated_at = ?
       WHERE id = ? AND state = 'applying'`,
    );
    const undo = connection.prepare(
      `UPDATE repricings SET gone = gone + ?, applied = applied - ?, applied_nano = applied_nano + ?, updated_at = ?
       WHERE id = ? AND state = 'undoing'`,
    );
    return {
      apply({ id, state, now }, { changed, gone, costNano, cursor }) {
        const { changes } =
          state === 'applying'
            ? apply.run([cursor, changed, costNano, now, id])
            : undo.run([gone, changed, costNano, now, id]);
        if (changes === 0) throw conflict(`The re-pricing ${id} is no longer ${state}`);
      },
    };
  },
};
