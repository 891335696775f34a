import { notAMember } from '../../errors.ts';
import { actorOf } from '../../module.ts';
import { type Callers, route } from '../tenancy/index.ts';
import { changeRole, removeMember, transferOwnership } from './change-member.ts';
import {
  deleteMemberEndpoint,
  getMembersEndpoint,
  getOrganizationEndpoint,
  getOrganizationsEndpoint,
  postLeaveEndpoint,
  postOrganizationEndpoint,
  postTransferEndpoint,
  putMemberEndpoint,
  putOrganizationEndpoint,
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

const getOrganizations = route(getOrganizationsEndpoint, async (ctx, _input, { userId }) => ({
  organizations: await listOrganizationsOf(ctx, userId),
}));

const postOrganization = route(postOrganizationEndpoint, async (ctx, input, caller) => {
  const made = { name: input.body.name, actor: actorOf(caller, input) };
  const id = await foundOrganization(ctx, caller, made);
  const [organization] = await listOrganizationsOf(ctx, caller.userId, id);
  if (organization === undefined) throw notAMember();
  return organization;
});

const getOrganization = route(getOrganizationEndpoint, async (ctx, _input, { userId, organizationId }) => {
  const [organization] = await listOrganizationsOf(ctx, userId, organizationId);
  if (organization === undefined) throw notAMember();
  return organization;
});

const putOrganization = route(putOrganizationEndpoint, async (ctx, input, caller) => {
  await renameOrganization(ctx, actorOf(caller, input), {
    id: caller.organizationId,
    name: input.body.name,
  });
  return null;
});

const postLeave = route(postLeaveEndpoint, async (ctx, input, caller) => {
  await removeMember(ctx, changeOf(caller, input, caller.userId));
  return null;
});

const postTransfer = route(postTransferEndpoint, async (ctx, input, caller) => {
  await transferOwnership(ctx, changeOf(caller, input, input.body.userId));
  return null;
});

const getMembers = route(getMembersEndpoint, async (ctx, _input, { organizationId }) => ({
  members: await listMembers(ctx, organizationId),
}));

const putMember = route(putMemberEndpoint, async (ctx, input, caller) => {
  await changeRole(ctx, changeOf(caller, input, input.params.userId), input.body.role);
  return null;
});

const deleteMember = route(deleteMemberEndpoint, async (ctx, input, caller) => {
  await removeMember(ctx, changeOf(caller, input, input.params.userId));
  return null;
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
