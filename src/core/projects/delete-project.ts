import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { formatInstant } from '../../lib/time.ts';
import { defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { idOrName } from '../orgs/contract.ts';
import { projectsChanged } from './projects-changed.ts';
import { findProject } from './queries.ts';
import { projectSubject } from './subject.ts';
import { projects } from './table.ts';

/**
 * `projects.delete`: the project is gone for everybody at once, its keys stop working, and its events are
 * queued for deletion within 24 hours.
 */
export const deleteProject = defineAction({
  name: 'projects.delete',
  input: z.object({ project: idOrName }),
  run: async (ctx, { project }, actor) => {
    const { id, name, organizationId } = await findProject(ctx, project);
    const now = ctx.now();
    const deletedAt = new Date(now);
    await commitChange(ctx, actor, {
      statements: [ctx.db.sql.update(projects).set({ deletedAt }).where(eq(projects.id, id))],
      audit: [
        { action: 'project.deleted', organizationId, projectId: id, subject: { of: projectSubject, id } },
      ],
    });
    ctx.emit(projectsChanged);
    return { id, name, deletedAt: formatInstant(now) };
  },
});
