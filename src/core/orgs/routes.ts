import { notAMember } from '../../errors.ts';
import { actorOf } from '../../module.ts';
import { type Callers, hasRole, route } from '../tenancy/index.ts';
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
  putSecondFactorEndpoint,
} from './contract.ts';
import { listMembers, listOrganizationsOf } from './members.ts';
import { foundOrganization, renameOrganization } from './own-organization.ts';
import { requireSecondFactor } from './require-second-factor.ts';

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

const putSecondFactor = route(putSecondFactorEndpoint, async (ctx, input, caller) => {
  await requireSecondFactor(ctx, caller, { actor: actorOf(caller, input), required: input.body.required });
  return null;
});

const getMembers = route(getMembersEndpoint, async (ctx, _input, { organizationId, role }) => {
  const rows = await listMembers(ctx, organizationId);
  const seesFactors = hasRole(role, 'admin');
  return { members: seesFactors ? rows : rows.map((row) => ({ ...row, secondFactor: null })) };
});

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
  putSecondFactor,
  postLeave,
  postTransfer,
  getMembers,
  putMember,
  deleteMember,
];
