import { eq } from 'drizzle-orm';
import { createTokenAction, revokeTokenAction } from '../../src/core/access-tokens/index.ts';
import { accessTokens } from '../../src/core/access-tokens/table.ts';
import { organizationsChanged } from '../../src/core/orgs/index.ts';
import { members } from '../../src/core/orgs/table.ts';
import { createProject, deleteProject } from '../../src/core/projects/index.ts';
import { ROLES, type Role, type TokenScope } from '../../src/core/tenancy/contract.ts';
import type { Tenant, TestApp } from '../helpers/app.ts';
import type { State } from './states.ts';

type Wish = {
  organization?: string;
  user: string;
  projectId?: string;
  expiresAt?: string;
  scopes?: readonly TokenScope[];
};
type Expected = State['expected'];

const report = 'deployments:write';

/** An access token in a bearer header: of a person with a role and one scope, for an organization or one project of it. */
const asToken =
  (role: Role, reach: 'organization' | 'project' | 'another project', held: TokenScope = 'read'): Expected =>
  (guard, scopes) => {
    const [kind, least = 'viewer'] = guard.split(':');
    if (kind === 'key') return 401;
    if (kind === 'session' || !scopes.includes(held)) return 403;
    // What the token reaches decides what the reply holds.
    if (kind === 'reader') return null;
    if (reach === 'another project' || (reach === 'project' && kind === 'organization')) return 403;
    return ROLES.indexOf(role) <= ROLES.indexOf(least as Role) ? null : 403;
  };
const never = (): 401 => 401;
/** A valid token that does not belong here: 403, and 401 where only keys are known. */
const elsewhere: Expected = (guard) => (guard.startsWith('key') ? 401 : 403);
/** A valid token with the scope, which reaches something else. */
const ofOthers: Expected = (guard, scopes) =>
  guard === 'reader' && scopes.includes('read') ? null : elsewhere(guard, scopes);

/** Every state of an access token for the seed's project and organization. The clock must stand still afterwards. */
export async function makeTokenStates(world: TestApp, other: Tenant): Promise<State[]> {
  const { app, ctx, seed, clock } = world;
  const make = ({ organization = seed.organizationId, ...wish }: Wish) =>
    app.act(createTokenAction, { name: 't', scopes: ['read'], organization, ...wish });
  const state = (name: string, token: string, expected: Expected): State => ({
    name,
    headers: { Authorization: `Bearer ${token}` },
    expected,
  });
  const user = seed.email;
  const { projectId } = seed;
  const sibling = await app.act(createProject, { organization: seed.organizationId, name: 'sibling' });
  const gone = await app.act(createProject, { organization: seed.organizationId, name: 'soon gone' });
  const ofGone = await make({ user, projectId: gone.id });
  await app.act(deleteProject, { project: gone.id });
  const revoked = await make({ user });
  await app.act(revokeTokenAction, { id: revoked.id });
  const ungranted = await make({ user });
  await ctx.db.sql.update(accessTokens).set({ scopes: [] }).where(eq(accessTokens.id, ungranted.id));
  const [removed, back, demoted, guest] = [
    await world.addUser('admin'),
    await world.addUser('admin'),
    await world.addUser('admin'),
    await world.addUser('owner', other.organizationId),
  ];
  const [ofRemoved, ofBack, ofDemoted] = [
    await make({ user: removed.email }),
    await make({ user: back.email }),
    await make({ user: demoted.email }),
  ];
  const guestElsewhere = await make({ organization: other.organizationId, user: guest.email });
  const guestElsewhereBound = await make({
    organization: other.organizationId,
    user: guest.email,
    projectId: other.projectId,
  });
  const byRole = await Promise.all(
    ROLES.map(async (role) => {
      const { token } = await make({ user: (await world.addUser(role)).email });
      return state(`a token of the ${role}`, token, asToken(role, 'organization'));
    }),
  );
  const bound = await make({ user, projectId });
  const boundToSibling = await make({ user, projectId: sibling.id });
  const reporting = await make({ user, scopes: [report] });
  const reportingViewer = await make({ user: (await world.addUser('viewer')).email, scopes: [report] });
  const reportingSibling = await make({ user, projectId: sibling.id, scopes: [report] });
  const fetching = await make({ user: (await world.addUser('viewer')).email, scopes: ['prompts:read'] });
  const expired = await make({ user });
  await ctx.db.sql
    .update(accessTokens)
    .set({ expiresAt: new Date(clock.now()) })
    .where(eq(accessTokens.id, expired.id));
  const lasting = await make({ user, expiresAt: new Date(clock.now() + 1).toISOString() });
  const join = (userId: string) =>
    ctx.db.sql.insert(members).values({
      organizationId: seed.organizationId,
      userId,
      role: 'owner',
      // Later than the membership that was removed, as it would be if the clock did not stand still.
      createdAt: new Date(clock.now() + 1),
    });
  for (const { userId } of [removed, back])
    await ctx.db.sql.delete(members).where(eq(members.userId, userId));
  await join(back.userId);
  await join(guest.userId);
  await ctx.db.sql.update(members).set({ role: 'viewer' }).where(eq(members.userId, demoted.userId));
  ctx.emit(organizationsChanged);

  return [
    ...byRole,
    state('a token in the last millisecond of its life', lasting.token, asToken('owner', 'organization')),
    state('a token of the owner for one project', bound.token, asToken('owner', 'project')),
    state('a token for another project', boundToSibling.token, asToken('owner', 'another project')),
    state('a token of a demoted admin', ofDemoted.token, asToken('viewer', 'organization')),
    state('a token without a scope', ungranted.token, elsewhere),
    state('a token of the owner for deployments', reporting.token, asToken('owner', 'organization', report)),
    state(
      'a token of a viewer for deployments',
      reportingViewer.token,
      asToken('viewer', 'organization', report),
    ),
    state(
      'a token for deployments of another project',
      reportingSibling.token,
      asToken('owner', 'another project', report),
    ),
    state(
      'a token of a viewer for prompts',
      fetching.token,
      asToken('viewer', 'organization', 'prompts:read'),
    ),
    state('a token of a member, for another organization', guestElsewhere.token, ofOthers),
    state('a token of a member, for a project of another organization', guestElsewhereBound.token, ofOthers),
    state('a token at the end of its life', expired.token, never),
    state('a revoked token', revoked.token, never),
    state('a token of a deleted project', ofGone.token, never),
    state('a token of a member who was removed', ofRemoved.token, never),
    state('a token of a member who was removed and joined again', ofBack.token, never),
    state('an unknown token', `slt_${'0'.repeat(64)}`, never),
    state('a malformed token', 'slt_123', never),
    { ...state('a token in the place of a key', '', never), headers: { 'x-api-key': bound.token } },
    {
      ...state('a token in the session cookie', '', never),
      headers: { Cookie: `spanledger_session=${bound.token}` },
    },
  ];
}
