import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { createTokenAction } from '../../../src/core/access-tokens/index.ts';
import { accessTokens } from '../../../src/core/access-tokens/table.ts';
import { commitChange } from '../../../src/core/audit/index.ts';
import { createSessionGuards } from '../../../src/core/auth/index.ts';
import { organizationsChanged } from '../../../src/core/orgs/index.ts';
import { members } from '../../../src/core/orgs/table.ts';
import { createProject } from '../../../src/core/projects/index.ts';
import { type Access, ROLES, type Role, TOKEN_SCOPES } from '../../../src/core/tenancy/contract.ts';
import { type Callers, route } from '../../../src/core/tenancy/index.ts';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import type { Guards } from '../../../src/http/route.ts';
import { createFetch } from '../../../src/http/server.ts';
import { actorOf } from '../../../src/module.ts';
import { openTestApp, type Tenant, type TestApp } from '../../helpers/app.ts';
import { auditRows } from '../audit/rows.ts';

let world: TestApp;
let other: Tenant;
let sibling: string;
let maker: { userId: string; email: string };
beforeAll(async () => {
  world = await openTestApp();
  other = await world.addTenant();
  sibling = (await world.app.act(createProject, { organization: 'Acme', name: 'sibling' })).id;
  maker = await world.addUser('admin');
  // A member of both organizations: a token reaches only the one that it was created for.
  const createdAt = new Date(world.clock.now());
  const { organizationId } = other;
  await world.ctx.db.sql
    .insert(members)
    .values({ userId: maker.userId, organizationId, role: 'owner', createdAt });
  world.ctx.emit(organizationsChanged);
});
afterAll(() => world.close());

const guardsOf = ({ ctx }: TestApp): Guards<Callers> => ({
  none: async () => null,
  key: () => Promise.reject(new Error('no endpoint here takes keys')),
  anyKey: () => Promise.reject(new Error('no endpoint here takes keys')),
  ...createSessionGuards(ctx),
});

/** One endpoint, as any feature could define it. */
type Defined = Endpoint & Access & { readonly auth: 'session' | 'project' | 'organization' };
const call = (endpoint: Defined, query: string, token: string): Promise<Response> => {
  const fetch = createFetch(world.ctx, {
    routes: [route(endpoint, () => null)],
    guards: guardsOf(world),
  });
  const headers = { Authorization: `Bearer ${token}` };
  return fetch(new Request(`http://localhost/v1/things${query}`, { method: endpoint.method, headers }));
};

const scopes = fc.uniqueArray(fc.constantFrom(...TOKEN_SCOPES));
const endpoints = fc
  .record(
    {
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      auth: fc.constantFrom('session', 'project', 'organization'),
      role: fc.constantFrom(...ROLES),
      scopes,
    },
    { requiredKeys: ['method', 'auth'] },
  )
  .map(({ auth, role, scopes, ...rest }): Defined => {
    const endpoint = { ...rest, path: '/v1/things', summary: '' };
    if (auth === 'session') return { ...endpoint, auth };
    return { ...endpoint, auth, ...(role && { role }), ...(scopes && { scopes }) };
  });
const asked = fc.constantFrom('own', 'sibling', 'foreign', 'missing');

/** Who is let in, said again in other words: the rule of the documentation. */
function expected(
  endpoint: Defined,
  token: { scopes: readonly string[]; bound: boolean; role: Role },
  about: string,
): number {
  const { auth, method, role: least = 'viewer' } = endpoint;
  if (auth === 'session') return 403;
  const needed = endpoint.scopes ?? (method === 'GET' ? ['read'] : []);
  if (!token.scopes.some((scope) => needed.includes(scope as never))) return 403;
  if (auth === 'organization' && (token.bound || about === 'foreign' || about === 'missing')) return 403;
  if (auth === 'project' && !(about === 'own' || (about === 'sibling' && !token.bound))) return 403;
  return ROLES.indexOf(token.role) <= ROLES.indexOf(least) ? 200 : 403;
}

test('a token is let in exactly where its scopes, its reach and the role of its maker allow it', async () => {
  const made = async (projectId?: string) =>
    world.app.act(createTokenAction, {
      organization: world.seed.organizationId,
      user: maker.email,
      name: 't',
      scopes: ['read'],
      ...(projectId && { projectId }),
    });
  const tokens = [await made(), await made(world.seed.projectId)] as const;
  const outcomes = { let: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      endpoints,
      fc.record({ scopes, bound: fc.boolean(), role: fc.constantFrom(...ROLES) }),
      asked,
      async (endpoint, token, about) => {
        const { id, token: secret } = tokens[token.bound ? 1 : 0];
        await world.ctx.db.sql
          .update(accessTokens)
          .set({ scopes: token.scopes })
          .where(eq(accessTokens.id, id));
        await world.ctx.db.sql
          .update(members)
          .set({ role: token.role })
          .where(eq(members.organizationId, world.seed.organizationId));
        world.ctx.emit(organizationsChanged);
        world.clock.advance(1_000);
        const { projectId, organizationId } = world.seed;
        const projects = { own: projectId, sibling, foreign: other.projectId, missing: 'prj_0' };
        const organizations = {
          own: organizationId,
          sibling: organizationId,
          foreign: other.organizationId,
          missing: 'org_0',
        };
        const query = `?projectId=${projects[about]}&organizationId=${organizations[about]}`;
        const { status } = await call(endpoint, query, secret);
        outcomes[status === 200 ? 'let' : 'refused']++;
        expect(status).toBe(expected(endpoint, token, about));
      },
    ),
    { numRuns: 500 },
  );
  // Neither outcome is rare, so neither was tested in vain.
  expect(Math.min(outcomes.let, outcomes.refused)).toBeGreaterThan(5);
});

test('the audit log names the token that made a change, and who made the token', async () => {
  const { id, token } = await world.app.act(createTokenAction, {
    organization: 'Acme',
    user: world.seed.email,
    name: 'deploys',
    scopes: ['read'],
  });
  await world.ctx.db.sql
    .update(accessTokens)
    .set({ scopes: ['deployments:write'] })
    .where(eq(accessTokens.id, id));
  await world.ctx.db.sql.update(members).set({ role: 'owner' }).where(eq(members.userId, world.seed.userId));
  world.ctx.emit(organizationsChanged);
  const write = route(
    {
      method: 'POST',
      path: '/v1/things',
      auth: 'project',
      role: 'member',
      scopes: ['deployments:write'],
      summary: '',
    },
    async (ctx, input, caller) => {
      const { organizationId, projectId } = caller.scope;
      const note = { action: 'thing.created', organizationId, projectId };
      await commitChange(ctx, actorOf(caller, input), { statements: [], audit: [note] });
      return null;
    },
  );
  const fetch = createFetch(world.ctx, { routes: [write], guards: guardsOf(world) });
  const reply = await fetch(
    new Request(`http://localhost/v1/things?projectId=${world.seed.projectId}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'User-Agent': 'ci' },
    }),
  );
  expect(reply.status).toBe(200);
  const [told] = (await auditRows(world.ctx)).filter(({ action }) => action === 'thing.created');
  expect(told).toMatchObject({
    actor_kind: 'token',
    actor_id: id,
    actor_email: world.seed.email,
    user_agent: 'ci',
  });
  expect(JSON.stringify(told)).not.toContain(token.slice(0, 20));
});
