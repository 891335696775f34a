import { z } from 'zod';
import { newId } from '../../db/new-id.ts';
import { defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { displayName, idOrName } from '../orgs/contract.ts';
import { findOrganization } from '../orgs/index.ts';
import { projectsChanged } from './projects-changed.ts';
import { projectSubject } from './subject.ts';
import { projects } from './table.ts';

/** `projects.create`: a new project of an organization, without a key. */
export const createProject = defineAction({
  name: 'projects.create',
  input: z.object({ organization: idOrName, name: displayName }),
  run: async (ctx, { organization, name }, actor) => {
    const { id: organizationId } = await findOrganization(ctx, organization);
    const now = ctx.now();
    const id = newId('prj', now);
    await commitChange(ctx, actor, {
      statements: [
        ctx.db.sql.insert(projects).values({ id, organizationId, name, createdAt: new Date(now) }),
      ],
      audit: [
        { action: 'project.created', organizationId, projectId: id, subject: { of: projectSubject, id } },
      ],
    });
    ctx.emit(projectsChanged);
    return { id, name, organizationId };
  },
});
