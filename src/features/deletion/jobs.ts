import type { Ctx } from '../../context.ts';
import { deleteInSlices } from '../../core/jobs/index.ts';
import { projectsChanged } from '../../core/projects/index.ts';
import type { Job } from '../../module.ts';
import { listDeletedProjects } from './queries.ts';
import { type DeletedProject, removeOp } from './remove-op.ts';
import { projectSlices } from './tables.ts';

/** Rounds over all tables before a project that keeps getting rows is left to the next run. */
const ROUNDS = 5;

/** interface.md, Limits: a deleted project's events are queued for deletion within 24 hours. */
export const purgeDeleted: Job = {
  name: 'projects.purge_deleted',
  summary: 'Delete everything that belongs to projects which were deleted',
  schedule: '20 * * * *',
  run: async (ctx, signal) => {
    const deleted: Record<string, number> = {};
    const projects = await listDeletedProjects(ctx);
    const left: string[] = [];
    for (const project of projects) {
      try {
        await purge(project, { ctx, signal }, (table, rows) => {
          deleted[table] = (deleted[table] ?? 0) + rows;
        });
        ctx.emit(projectsChanged);
      } catch (error) {
        signal.throwIfAborted();
        ctx.log.error({ err: error, project: project.id }, 'a deleted project could not be purged');
        left.push(project.id);
      }
    }
    if (left.length > 0) throw new Error(`Not purged yet: ${left.join(', ')}`);
    return { projects: projects.length, deleted };
  },
};

async function purge(
  project: DeletedProject,
  task: { ctx: Ctx; signal: AbortSignal },
  count: (table: string, rows: number) => void,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    for (const slice of projectSlices) {
      const prefix = slice.by === 'project' ? project.no : project.id;
      count(slice.table, await deleteInSlices(slice, { prefix }, task));
    }
    task.signal.throwIfAborted();
    if (await task.ctx.db.writer.write<boolean>(removeOp.name, project)) return;
  }
  throw new Error(`Project ${project.id} still gets new rows; the next run goes on`);
}
