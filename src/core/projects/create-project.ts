import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { conflict } from '../../errors.ts';
import { defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { displayName, idOrName } from '../orgs/contract.ts';
import { findOrganization } from '../orgs/index.ts';
import { PLANS } from '../plans/index.ts';
import { projectsChanged } from './projects-changed.ts';
import { projectSubject } from './subject.ts';
import { projects } from './table.ts';

/** `projects.create`: a new project of an organization, without a key. Throws AppError 409 at the plan's limit. */
export const createProject = defineAction({
  name: 'projects.create',
  input: z.object({ organization: idOrName, name: displayName }),
  run: async (ctx, { organization, name }, actor) => {
    const { id: organizationId, plan } = await findOrganization(ctx, organization);
    const most = PLANS[plan].projects;
    const now = ctx.now();
    const id = newId('prj', now);
    const count = sql`(SELECT count(*) FROM projects WHERE organization_id = ${organizationId} AND deleted_at IS NULL)`;
    // Null, which no project can have as its id, when there are too many.
    const allowedId = sql<string>`(SELECT ${id} WHERE ${count} < ${most})`;
    const change = {
      statements: [
        ctx.db.sql.insert(projects).values({ id: allowedId, organizationId, name, createdAt: new Date(now) }),
      ],
      audit: [
        { action: 'project.created', organizationId, projectId: id, subject: { of: projectSubject, id } },
      ],
    };
    try {
      await commitChange(ctx, actor, change);
    } catch (error) {
      if (!brokenConstraint(error)?.columns.includes('projects.id')) throw error;
      throw conflict(
        `The plan ${plan} has at most ${most} projects; delete one, or ask the operator for a larger plan`,
      );
    }
    ctx.emit(projectsChanged);
    return { id, name, organizationId };
  },
});
