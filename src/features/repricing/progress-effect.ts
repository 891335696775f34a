import type { ChangeOutcome } from '../../core/events/index.ts';
import type { Effect } from '../../db/effects.ts';
import { conflict } from '../../errors.ts';

/** Which re-pricing a slice belongs to, what it does, and when (epoch milliseconds). */
export type Progress = {
  readonly id: string;
  readonly state: 'applying' | 'undoing';
  readonly now: number;
};

/**
 * Moves the cursor and the figures of a re-pricing with each slice. Refuses the slice with 409 when the re-pricing
 * is no longer in the state: somebody asked for something else meanwhile.
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
        if (changes === 0) throw conflict(`The re-pricing ${id} is not ${state} any more`);
      },
    };
  },
};
