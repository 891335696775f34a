import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { formatInstant } from '../../lib/time.ts';
import { defineAction } from '../../module.ts';
import { idOrName } from '../orgs/contract.ts';
import { findProject } from './queries.ts';
import { projects } from './table.ts';

/**
 * `projects.delete`: the project is gone for everybody at once, its keys stop working, and its events are
 * queued for deletion within 24 hours (interface.md, Limits).
 */
export const deleteProject = defineAction({
  name: 'projects.delete',
  input: z.object({ project: idOrName }),
  run: async (ctx, { project }) => {
    const { id, name } = await findProject(ctx, project);
    const now = ctx.now();
    await ctx.db.sql
      .update(projects)
      .set({ deletedAt: new Date(now) })
      .where(eq(projects.id, id));
    ctx.signals.emit('projects.changed');
    return { id, name, deletedAt: formatInstant(now) };
  },
});
