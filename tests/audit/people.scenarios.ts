import { inviteLink } from '../../src/core/invitations/index.ts';
import { removeUser, setRole } from '../../src/core/orgs/index.ts';
import { TEST_PASSWORD, type TestApp } from '../helpers/app.ts';
import { type AuditScenarios, scenario, type Unaudited } from '../helpers/audit.ts';

const organization = ({ seed }: TestApp): string => `/v1/organizations/${seed.organizationId}`;
const project = ({ seed }: TestApp): string => `/v1/projects/${seed.projectId}`;
const call = (world: TestApp, method: string, path: string, json?: unknown): Promise<Response> =>
  world.fetch(path, { method, bearer: world.seed.bearer, ...(json === undefined ? {} : { json }) });
const idOf = async (reply: Promise<Response>): Promise<string> =>
  ((await (await reply).json()) as { id: string }).id;
const newKey = (world: TestApp) => idOf(call(world, 'POST', `${project(world)}/keys`, { name: 'ci' }));
const viewer = async (world: TestApp) => (await world.addUser('viewer')).userId;
const newLink = async ({ app }: TestApp) => {
  const { url } = await app.act(inviteLink, { organization: 'Acme', role: 'member' });
  return url?.slice(url.indexOf('=') + 1) ?? '';
};

export const scenarios: AuditScenarios = {
  'POST /v1/organizations': scenario({
    act: (world) => call(world, 'POST', '/v1/organizations', { name: 'New' }),
    tells: ['organization.created', 'member.added'],
  }),
  'PUT /v1/organizations/:id': scenario({
    act: (world) => call(world, 'PUT', organization(world), { name: 'New' }),
    tells: ['organization.renamed'],
  }),
  'DELETE /v1/organizations/:id': scenario({
    act: (world) => call(world, 'DELETE', organization(world)),
    tells: ['organization.deleted'],
  }),
  'POST /v1/organizations/:id/leave': scenario({
    prepare: (world) => world.addUser('viewer'),
    act: (world, { bearer }) => world.fetch(`${organization(world)}/leave`, { method: 'POST', bearer }),
    tells: ['member.left'],
  }),
  'POST /v1/organizations/:id/transfer': scenario({
    prepare: viewer,
    act: (world, userId) => call(world, 'POST', `${organization(world)}/transfer`, { userId }),
    tells: ['organization.ownership_transferred'],
  }),
  'PUT /v1/organizations/:id/members/:userId': scenario({
    prepare: viewer,
    act: (world, userId) => call(world, 'PUT', `${organization(world)}/members/${userId}`, { role: 'admin' }),
    tells: ['member.role_changed'],
  }),
  'DELETE /v1/organizations/:id/members/:userId': scenario({
    prepare: viewer,
    act: (world, userId) => call(world, 'DELETE', `${organization(world)}/members/${userId}`),
    tells: ['member.removed'],
  }),
  'POST /v1/organizations/:id/invitations': scenario({
    act: (world) => call(world, 'POST', `${organization(world)}/invitations`, { role: 'member' }),
    tells: ['invitation.created'],
  }),
  'DELETE /v1/organizations/:id/invitations/:invitationId': scenario({
    prepare: (world) => idOf(call(world, 'POST', `${organization(world)}/invitations`, { role: 'member' })),
    act: (world, id) => call(world, 'DELETE', `${organization(world)}/invitations/${id}`),
    tells: ['invitation.revoked'],
  }),
  'users.set_role': scenario({
    prepare: (world) => world.addUser('viewer'),
    act: ({ app }, { email }) => app.act(setRole, { organization: 'Acme', email, role: 'admin' }),
    tells: ['member.role_changed'],
  }),
  'users.remove': scenario({
    prepare: (world) => world.addUser('viewer'),
    act: ({ app }, { email }) => app.act(removeUser, { organization: 'Acme', email }),
    tells: ['member.removed'],
  }),
  'users.invite_link': scenario({
    act: ({ app }) => app.act(inviteLink, { organization: 'Acme', role: 'member' }),
    tells: ['invitation.created'],
  }),
  'POST /v1/invitations/accept': scenario({
    prepare: async (world) => ({ token: await newLink(world), ...(await world.addTenant()) }),
    act: ({ fetch }, { token, bearer }) => fetch('/v1/invitations/accept', { bearer, json: { token } }),
    tells: ['invitation.accepted', 'member.added'],
  }),
  'POST /v1/invitations/sign-up': scenario({
    prepare: newLink,
    act: ({ fetch }, token) =>
      fetch('/v1/invitations/sign-up', {
        json: { token, email: 'new@example.com', password: TEST_PASSWORD },
      }),
    tells: ['invitation.accepted', 'member.added', 'user.signed_in'],
  }),
  'POST /v1/organizations/:id/projects': scenario({
    act: (world) => call(world, 'POST', `${organization(world)}/projects`, { name: 'New' }),
    tells: ['project.created'],
  }),
  'PUT /v1/projects/:id': scenario({
    act: (world) => call(world, 'PUT', project(world), { name: 'New' }),
    tells: ['project.updated'],
  }),
  'DELETE /v1/projects/:id': scenario({
    act: (world) => call(world, 'DELETE', project(world)),
    tells: ['project.deleted'],
  }),
  'POST /v1/projects/:id/keys': scenario({
    act: (world) => call(world, 'POST', `${project(world)}/keys`, { name: 'ci' }),
    tells: ['project.api_key_created'],
  }),
  'POST /v1/projects/:id/keys/:keyId/rotate': scenario({
    prepare: newKey,
    act: (world, id) => call(world, 'POST', `${project(world)}/keys/${id}/rotate`),
    tells: ['project.api_key_rotated'],
  }),
  'DELETE /v1/projects/:id/keys/:keyId': scenario({
    prepare: newKey,
    act: (world, id) => call(world, 'DELETE', `${project(world)}/keys/${id}`),
    tells: ['project.api_key_revoked'],
  }),
};

export const unaudited: Unaudited = {
  'POST /v1/invitations/preview': 'reads',
};
