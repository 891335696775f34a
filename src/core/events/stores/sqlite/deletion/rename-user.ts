import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { ErasedUser } from '../../../deletion.ts';
import { labelsPart } from '../labels/labels.ts';
import { storedSumsPart } from '../sums/sums-part.ts';

/** A user to erase, and the number of the project. */
export type UserOfProject = ErasedUser & { readonly project: number };

/**
 * Replaces the id of a user whose events are deleted by a pseudonym in the sums and in tags. The sums are empty, unless
 * retention deleted events before; those remain as an unnamed user's. Idempotent.
 */
export const renameErasedOp: WriteOp<UserOfProject, void> = {
  name: 'events.rename_erased',
  open(connection, { share }) {
    const sums = share(storedSumsPart);
    const labels = share(labelsPart);
    const renameUser = connection.prepare(
      'UPDATE event_users SET user_id = ? WHERE project = ? AND user_id = ?',
    );
    const find = connection
      .prepare('SELECT id, json FROM event_labels WHERE project = ? AND instr(json, ?)')
      .raw(true);
    const write = connection.prepare('UPDATE event_labels SET json = ? WHERE id = ?');
    return {
      apply({ project, userId, name }) {
        renameUser.run([name, project, userId]);
        for (const [id, json] of find.all([project, JSON.stringify(userId)]) as [number, string][]) {
          const named = JSON.stringify(renamed(JSON.parse(json), userId, name));
          if (named !== json) write.run([named, id]);
        }
        sums.forget();
        labels.forget();
      },
    };
  },
};

/** Copies a JSON value and replaces every string equal to `userId` by `name`; keys stay unchanged. */
export function renamed(value: unknown, userId: string, name: string): unknown {
  if (value === userId) return name;
  if (Array.isArray(value)) return value.map((item) => renamed(item, userId, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(item, userId, name)]));
}
