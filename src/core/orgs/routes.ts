import { z } from 'zod';
import { notAMember } from '../../errors.ts';
import { actorOf } from '../../module.ts';
import { type Callers, defineRoute } from '../tenancy/index.ts';
import { changeRole, removeMember, transferOwnership } from './change-member.ts';
import {
  membersReply,
  organizationBody,
  organizationReply,
  organizationsReply,
  roleBody,
  transferBody,
} from './contract.ts';
import { listMembers, listOrganizationsOf } from './members.ts';
import { foundOrganization, renameOrganization } from './own-organization.ts';

type Asked = { request: Request; address: string | null };

/** What the caller wants to change of somebody's membership. */
const changeOf = (caller: Callers['organization'], input: Asked, userId: string) => ({
  organizationId: caller.organizationId,
  userId,
  by: { userId: caller.userId, actor: actorOf(caller, input) },
});

const memberParams = z.object({ id: z.string(), userId: z.string().max(100) });

const getOrganizations = defineRoute({
  method: 'GET',
  path: '/v1/organizations',
  auth: 'session',
  summary: 'The own organizations',
  reply: organizationsReply,
  handler: async (ctx, _input, { userId }) => ({ organizations: await listOrganizationsOf(ctx, userId) }),
});

const postOrganization = defineRoute({
  method: 'POST',
  path: '/v1/organizations',
  auth: 'session',
  summary: 'Make an organization and own it',
  body: organizationBody,
  reply: organizationReply,
  status: 201,
  handler: async (ctx, input, caller) => {
    const made = { name: input.body.name, actor: actorOf(caller, input) };
    const id = await foundOrganization(ctx, caller, made);
    const [organization] = await listOrganizationsOf(ctx, caller.userId, id);
    return organization;
  },
});

const getOrganization = defineRoute({
  method: 'GET',
  path: '/v1/organizations/:id',
  auth: 'organization',
  summary: 'An organization with its plan and limits',
  reply: organizationReply,
  handler: async (ctx, _input, { userId, organizationId }) => {
    const [organization] = await listOrganizationsOf(ctx, userId, organizationId);
    if (organization === undefined) throw notAMember();
    return organization;
  },
});

const putOrganization = defineRoute({
  method: 'PUT',
  path: '/v1/organizations/:id',
  auth: 'organization',
  role: 'admin',
  summary: 'Rename an organization',
  body: organizationBody,
  status: 204,
  handler: async (ctx, input, caller) => {
    await renameOrganization(ctx, actorOf(caller, input), {
      id: caller.organizationId,
      name: input.body.name,
    });
    return null;
  },
});

const postLeave = defineRoute({
  method: 'POST',
  path: '/v1/organizations/:id/leave',
  auth: 'organization',
  summary: 'Leave an organization; its last owner can not',
  status: 204,
  handler: async (ctx, input, caller) => {
    await removeMember(ctx, changeOf(caller, input, caller.userId));
    return null;
  },
});

const postTransfer = defineRoute({
  method: 'POST',
  path: '/v1/organizations/:id/transfer',
  auth: 'organization',
  role: 'owner',
  summary: 'Make another member the owner and become an admin',
  body: transferBody,
  status: 204,
  handler: async (ctx, input, caller) => {
    await transferOwnership(ctx, changeOf(caller, input, input.body.userId));
    return null;
  },
});

const getMembers = defineRoute({
  method: 'GET',
  path: '/v1/organizations/:id/members',
  auth: 'organization',
  summary: 'The people of an organization with their roles',
  reply: membersReply,
  handler: async (ctx, _input, { organizationId }) => ({ members: await listMembers(ctx, organizationId) }),
});

const putMember = defineRoute({
  method: 'PUT',
  path: '/v1/organizations/:id/members/:userId',
  auth: 'organization',
  role: 'admin',
  summary: "Change a member's role; owners are made and changed by owners",
  params: memberParams,
  body: roleBody,
  status: 204,
  handler: async (ctx, input, caller) => {
    await changeRole(ctx, changeOf(caller, input, input.params.userId), input.body.role);
    return null;
  },
});

const deleteMember = defineRoute({
  method: 'DELETE',
  path: '/v1/organizations/:id/members/:userId',
  auth: 'organization',
  role: 'admin',
  summary: 'Remove a member; owners are removed by owners',
  params: memberParams,
  status: 204,
  handler: async (ctx, input, caller) => {
    await removeMember(ctx, changeOf(caller, input, input.params.userId));
    return null;
  },
});

export const orgRoutes = [
  getOrganizations,
  postOrganization,
  getOrganization,
  putOrganization,
  postLeave,
  postTransfer,
  getMembers,
  putMember,
  deleteMember,
];
