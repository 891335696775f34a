import type { Ctx } from '../../context.ts';
import { eventsOf } from '../../core/events/index.ts';
import { deleteInSlices } from '../../core/jobs/index.ts';
import {
  type DeletedProject,
  listDeletedProjects,
  projectsChanged,
  removeProject,
} from '../../core/projects/index.ts';
import { operatorScope } from '../../core/tenancy/index.ts';
import { projectColumn, projectValue } from '../../db/owned-table.ts';
import type { Job } from '../../module.ts';

/** Maximum rounds over all tables. If a project still receives rows after that, the next run continues. */
const ROUNDS = 5;

/** Runs every hour, because a deleted project's events must be gone within 24 hours. */
export const purgeDeleted: Job = {
  name: 'projects.purge_deleted',
  summary: 'Delete all rows of deleted projects',
  schedule: '20 * * * *',
  run: async (ctx, signal) => {
    const deleted: Record<string, number> = {};
    const count: Count = (table, rows) => {
      deleted[table] = (deleted[table] ?? 0) + rows;
    };
    const projects = await listDeletedProjects(ctx);
    const left: string[] = [];
    for (const project of projects) {
      try {
        await purge(project, { ctx, signal, count });
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

type Count = (table: string, rows: number) => void;
type Task = { readonly ctx: Ctx; readonly signal: AbortSignal; readonly count: Count };

async function purge(project: DeletedProject, task: Task): Promise<void> {
  const { ctx, signal, count } = task;
  for (let round = 0; round < ROUNDS; round++) {
    const events = await eventsOf(ctx).purge(operatorScope(project), { signal });
    for (const [table, rows] of Object.entries(events)) count(table, rows);
    await purgeTables(project, task);
    signal.throwIfAborted();
    if (await removeProject(ctx, project.no)) return;
  }
  throw new Error(`Project ${project.id} still receives new rows; the next run continues`);
}

/** Deletes a project's rows from all tables, except those that their module purges itself. */
async function purgeTables(project: DeletedProject, { ctx, signal, count }: Task): Promise<void> {
  for (const table of ctx.tables) {
    const column = projectColumn(table);
    if (column === null || table.kept || table.purge !== undefined) continue;
    const slice = { table: table.name, key: table.key, prefix: `${column} = ?` };
    const prefix = projectValue(column, project);
    count(table.name, await deleteInSlices(slice, { prefix }, { ctx, signal }));
  }
}
