import { deleteInSlices, type SliceTask } from '../../../../jobs/index.ts';
import type { DeletedRows } from '../../../deletion.ts';
import { eventTables } from '../tables.ts';

/** See `EventDeletion`. The writer may keep cached state of the project, because project numbers are never reused. */
export async function purge(project: number, task: SliceTask): Promise<DeletedRows> {
  const deleted: Record<string, number> = {};
  for (const { name, key } of eventTables) {
    deleted[name] = await deleteInSlices(
      { table: name, key, prefix: 'project = ?' },
      { prefix: project },
      task,
    );
  }
  return deleted;
}
