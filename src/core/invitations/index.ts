import { z } from 'zod';
import { defineAction, listen, type Module } from '../../module.ts';
import { personDeleted } from '../auth/index.ts';
import { emailAddress, INVITED_ROLES, idOrName } from '../orgs/contract.ts';
import { findOrganization } from '../orgs/index.ts';
import { invite } from './invite.ts';
import { forgetInvited } from './queries.ts';
import { invitationRoutes } from './routes.ts';

/** `users.invite_link`: a link for joining an organization, which the operator passes on. */
export const inviteLink = defineAction({
  name: 'users.invite_link',
  input: z.object({ organization: idOrName, email: emailAddress.optional(), role: z.enum(INVITED_ROLES) }),
  run: async (ctx, { organization, email = null, role }, actor) => {
    const { id: organizationId } = await findOrganization(ctx, organization);
    return invite(ctx, actor, { organizationId, email, role });
  },
});

export const invitationsModule: Module = {
  name: 'invitations',
  tables: [
    {
      name: 'invitations',
      scope: 'organization',
      by: 'organization_id',
      key: ['id'],
      retention: { ends: 'expires_at', keptDays: 30 },
    },
  ],
  routes: invitationRoutes,
  actions: [inviteLink],
  on: [listen(personDeleted, forgetInvited)],
};

export { deleteInvitations } from './queries.ts';
