import type { WriteOp } from '../../../../../db/group-commit.ts';
import { logPart } from '../ingest/log-part.ts';
import type { Damage } from './damaged.ts';

/** The columns that `event_log` and `event_log_damaged` have in common. */
export const LOG_COLUMNS = 'seq, project, events, first_ts, last_ts, labels, dropped, ids, pack';

/** `known`: it was noted before. `gone`: it is not stored any more, so a read that met it may succeed now. */
export type NotedDamage = 'new' | 'known' | 'gone';

/**
 * Notes damage, so that the other events of the project can be changed. A segment stays where it is; edits leave it
 * out. A batch leaves the log with its bytes, so that the batches after it are sealed. `at` in epoch milliseconds.
 */
export const noteDamageOp: WriteOp<{ readonly damage: Damage; readonly at: number }, NotedDamage> = {
  name: 'events.note_damage',
  open(connection, { share }) {
    const log = share(logPart);
    const markSegment = connection.prepare(
      'UPDATE event_segments SET ready = 2 WHERE no = ? AND project = ? AND ready = 1',
    );
    const findMarked = connection.prepare(
      'SELECT no FROM event_segments WHERE no = ? AND project = ? AND ready = 2',
    );
    const keepBatch = connection.prepare(
      `INSERT INTO event_log_damaged (at, reason, flips, ${LOG_COLUMNS})
       SELECT ?1, ?2, (SELECT places FROM event_log_flips WHERE seq = ?3), ${LOG_COLUMNS}
       FROM event_log WHERE seq = ?3 AND project = ?4`,
    );
    const removeBatch = connection.prepare('DELETE FROM event_log WHERE seq = ? AND project = ?');
    const removeFlips = connection.prepare('DELETE FROM event_log_flips WHERE seq = ? AND project = ?');
    return {
      apply({ damage: { kind, no, project, reason }, at }) {
        if (kind === 'segment') {
          if (markSegment.run([no, project]).changes > 0) return 'new';
          return findMarked.all([no, project]).length > 0 ? 'known' : 'gone';
        }
        if (keepBatch.run([at, reason, no, project]).changes === 0) return 'gone';
        removeBatch.run([no, project]);
        removeFlips.run([no, project]);
        log.remove(project, [no]);
        return 'new';
      },
      discard: () => log.forget(),
    };
  },
};
