import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import { createBlobRemoval } from '../seal/segment-ops.ts';
import { sealedPart } from '../segments/sealed-part.ts';
import type { DamageId } from './damaged.ts';

type GiveUp = DamageId & { readonly effects: readonly EffectCall[] };

/**
 * Deletes the bytes of damaged events and keeps their row: figures that need them are refused, because they would be
 * too low. False if they are not noted as damaged.
 */
export const giveUpOp: WriteOp<GiveUp, boolean> = {
  name: 'events.give_up',
  open(connection, { share, effects }) {
    const sealed = share(sealedPart);
    const removeBlobs = createBlobRemoval(connection);
    const removeLinks = connection.prepare('DELETE FROM event_log_links WHERE seq = ? AND project = ?');
    const giveUp = {
      segment: connection.prepare(
        "UPDATE event_segments SET ready = 3, small = x'' WHERE no = ? AND project = ? AND ready = 2",
      ),
      batch: connection.prepare(
        `UPDATE event_log_damaged SET lost = 1, flips = NULL, dropped = NULL, ids = x'', pack = x''
         WHERE seq = ? AND project = ? AND lost = 0`,
      ),
    };
    return {
      apply({ kind, no, project, effects: calls }) {
        if (giveUp[kind].run([no, project]).changes === 0) return false;
        effects.apply(calls, {});
        if (kind === 'batch') removeLinks.run([no, project]);
        if (kind === 'segment') {
          removeBlobs(no);
          sealed.remove(project, [no]);
        }
        return true;
      },
      discard: () => sealed.forget(),
    };
  },
};
