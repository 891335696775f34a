import type { WriteOp } from '../../db/group-commit.ts';
import { projectSlices } from './tables.ts';

export type DeletedProject = { readonly no: number; readonly id: string };

/**
 * Removes the row of a project that is marked as deleted and empty. False, and nothing changed, while a
 * table still holds a row of it: a batch that was on its way when the deletion was asked for.
 */
export const removeOp: WriteOp<DeletedProject, boolean> = {
  name: 'deletion.remove_project',
  open(connection) {
    const finds = projectSlices.map(({ table, by }) => ({
      by,
      find: connection.prepare(`SELECT 1 FROM ${table} WHERE ${by} = ? LIMIT 1`).raw(true),
    }));
    const remove = connection.prepare('DELETE FROM projects WHERE no = ? AND deleted_at IS NOT NULL');
    return {
      apply({ no, id }) {
        const left = finds.some(({ by, find }) => find.all([by === 'project' ? no : id]).length > 0);
        if (!left) remove.run([no]);
        return !left;
      },
    };
  },
};
