import { eq } from 'drizzle-orm';
import { sessions } from '../../src/core/auth/table.ts';
import { createKey, revokeKey, rotateKey } from '../../src/core/keys/index.ts';
import { organizationsChanged } from '../../src/core/orgs/index.ts';
import { members } from '../../src/core/orgs/table.ts';
import { createProject, deleteProject } from '../../src/core/projects/index.ts';
import type { Role } from '../../src/core/tenancy/contract.ts';
import type { Tenant, TestApp } from '../helpers/app.ts';
import { makeTokenStates } from './token-states.ts';

const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];
const DAY_MS = 24 * 3_600_000;

/**
 * A credential in some state. `expected` gives the status for a kind of route and the scopes of access tokens that it
 * admits, null where the guard lets the credential in.
 */
export type State = {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: (guard: string, scopes: readonly string[]) => 401 | 403 | null;
};

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const key = (apiKey: string) => ({ 'x-api-key': apiKey });
/** Refused wherever any credential is asked for. */
const never = (): 401 => 401;
const asPerson = (role: Role | null) => (guard: string) => {
  const [kind, least = 'viewer'] = guard.split(':');
  if (kind === 'key') return 401;
  if (kind === 'session' || kind === 'reader') return null;
  if (kind === 'operator') return 403;
  return role !== null && ROLES.indexOf(role) <= ROLES.indexOf(least as Role) ? null : 403;
};
const asOperator = (guard: string) => (guard === 'operator' ? null : asPerson('owner')(guard));
const asKey = (guard: string) => (guard.startsWith('key') ? null : 401);
const asKeyInAuthorization = (guard: string) => (guard === 'key:authorization' ? null : 401);

/** Every state of a credential for the seed's project and organization, in a world whose clock may be moved. */
export async function makeStates(world: TestApp, other: Tenant): Promise<State[]> {
  const { app, ctx, seed, clock } = world;
  const newKey = async () =>
    (await app.act(createKey, { project: seed.projectId, name: 'k' })) as { id: string; apiKey: string };
  const [revoked, rotated, expired] = [await newKey(), await newKey(), await newKey()];
  const gone = await app.act(createProject, { organization: 'Acme', name: 'gone' });
  const ofGone = (await app.act(createKey, { project: gone.id, name: 'k' })) as { apiKey: string };
  await app.act(deleteProject, { project: gone.id });
  await app.act(revokeKey, { id: revoked.id });
  await app.act(rotateKey, { id: expired.id });
  const removed = await world.addUser('admin');
  const ended = await world.addUser('owner');
  const overdue = await world.addUser('owner');
  // One key's grace ends at this instant, the other's a second later: `clock` stands still from here on.
  clock.advance(1_000);
  await app.act(rotateKey, { id: rotated.id });
  clock.advance(DAY_MS - 1_000);
  const people = Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, (await world.addUser(role)).bearer] as const)),
  ) as Record<Role, string>;
  const stranger = await world.signIn(other.email);
  await ctx.db.sql.delete(members).where(eq(members.userId, removed.userId));
  await ctx.db.sql.delete(sessions).where(eq(sessions.userId, ended.userId));
  await ctx.db.sql
    .update(sessions)
    .set({ expiresAt: new Date(clock.now()) })
    .where(eq(sessions.userId, overdue.userId));
  ctx.emit(organizationsChanged);
  const [token] = people.owner.split('.');
  const state = (name: string, headers: Record<string, string>, expected: State['expected']): State => ({
    name,
    headers,
    expected,
  });

  return [
    state('nothing', {}, never),
    state('an empty bearer token', bearer(''), never),
    state('a made-up bearer token', bearer('abc.def'), never),
    state('a session token without its signature', bearer(token ?? ''), never),
    state('a session token with a foreign signature', bearer(`${token}.${btoa('x'.repeat(32))}`), never),
    state('a session that was ended', bearer(ended.bearer), never),
    state('a session at the end of its life', bearer(overdue.bearer), never),
    state('an owner of another organization', bearer(stranger), asPerson(null)),
    state('an admin who was removed', bearer(removed.bearer), asPerson(null)),
    ...ROLES.map((role) => state(`the ${role}`, bearer(people[role]), asPerson(role))),
    state('the operator', bearer(seed.bearer), asOperator),
    state('a session in the place of a key', key(people.owner), never),
    state('a malformed key', key('slk_123'), never),
    state('an unknown key', key(`slk_${'0'.repeat(64)}`), never),
    state('a revoked key', key(revoked.apiKey), never),
    state('a key of a deleted project', key(ofGone.apiKey), never),
    state('a key whose grace ended a second ago', key(expired.apiKey), never),
    state('a key in the last second of its grace', key(rotated.apiKey), asKey),
    state('a key', key(seed.apiKey), asKey),
    state('a key in the place of a session', bearer(seed.apiKey), asKeyInAuthorization),
    ...(await makeTokenStates(world, other)),
  ];
}
