import type { Role } from '../../src/core/tenancy/contract.ts';
import type { TestApp, TestRequest } from './app.ts';

/** A signed-in member of the seed's organization. */
export type Person = { readonly userId: string; readonly email: string; readonly bearer: string };

/** One person of each role of the seed's organization; the owner is the seed. */
export async function everyRole(world: TestApp): Promise<Record<Role, Person>> {
  const [admin, member, viewer] = await Promise.all(
    (['admin', 'member', 'viewer'] as const).map((role) => world.addUser(role)),
  );
  return { owner: world.seed, admin, member, viewer } as Record<Role, Person>;
}

/** `ask('PUT', '/v1/…', bearer, body)` gives the status and the body of the reply. */
export const asker =
  (world: TestApp) =>
  async (
    method: string,
    path: string,
    bearer: string,
    json?: unknown,
  ): Promise<{ status: number; body: unknown }> => {
    const init: TestRequest = json === undefined ? { method, bearer } : { method, bearer, json };
    const reply = await world.fetch(path, init);
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) };
  };

/** Roles by person of an organization, as its owner sees them. */
export async function rolesOf(world: TestApp, bearer = world.seed.bearer): Promise<Record<string, Role>> {
  const path = `/v1/organizations/${world.seed.organizationId}/members`;
  const { members } = (await (await world.fetch(path, { bearer })).json()) as {
    members: { userId: string; role: Role }[];
  };
  return Object.fromEntries(members.map(({ userId, role }) => [userId, role]));
}
