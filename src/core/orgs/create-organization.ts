import { z } from 'zod';
import { newId } from '../../db/new-id.ts';
import { defineAction } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { PLAN_NAMES } from '../plans/index.ts';
import { displayName } from './contract.ts';
import { organizationsChanged } from './organizations-changed.ts';
import { organizationSubject } from './subject.ts';
import { organizations } from './table.ts';

/** `orgs.create`: a new organization without members, on `plan` or DEFAULT_PLAN. */
export const createOrganization = defineAction({
  name: 'orgs.create',
  input: z.object({ name: displayName, plan: z.enum(PLAN_NAMES).optional() }),
  run: async (ctx, { name, plan = ctx.config.DEFAULT_PLAN }, actor) => {
    const now = ctx.now();
    const id = newId('org', now);
    await commitChange(ctx, actor, {
      statements: [ctx.db.sql.insert(organizations).values({ id, name, plan, createdAt: new Date(now) })],
      audit: [
        { action: 'organization.created', organizationId: id, subject: { of: organizationSubject, id } },
      ],
    });
    ctx.emit(organizationsChanged);
    return { id, name, plan };
  },
});
