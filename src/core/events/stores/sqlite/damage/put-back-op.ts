import type { WriteOp } from '../../../../../db/group-commit.ts';
import { logPart } from '../ingest/log-part.ts';
import { sealedPart } from '../segments/sealed-part.ts';
import type { DamageId } from './damaged.ts';
import { LOG_COLUMNS } from './note-damage-op.ts';

/** Puts back what was noted as damaged and can be read again. */
export const putBackOp: WriteOp<DamageId, void> = {
  name: 'events.put_back',
  open(connection, { share }) {
    const log = share(logPart);
    const sealed = share(sealedPart);
    const putSegment = connection.prepare(
      'UPDATE event_segments SET ready = 1 WHERE no = ? AND project = ? AND ready = 2',
    );
    const putBatch = connection.prepare(
      `INSERT INTO event_log (${LOG_COLUMNS})
       SELECT ${LOG_COLUMNS} FROM event_log_damaged WHERE seq = ? AND project = ? AND lost = 0`,
    );
    const putFlips = connection.prepare(
      `INSERT INTO event_log_flips (seq, project, places)
       SELECT seq, project, flips FROM event_log_damaged
       WHERE seq = ? AND project = ? AND lost = 0 AND flips IS NOT NULL`,
    );
    const remove = connection.prepare(
      'DELETE FROM event_log_damaged WHERE seq = ? AND project = ? AND lost = 0',
    );
    return {
      apply({ kind, no, project }) {
        if (kind === 'segment') putSegment.run([no, project]);
        else for (const statement of [putBatch, putFlips, remove]) statement.run([no, project]);
        // Both keep what they have read.
        log.forget();
        sealed.forget();
      },
    };
  },
};
