import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { removeUser, setRole as setRoleAction } from '../../../src/core/orgs/index.ts';
import { members } from '../../../src/core/orgs/table.ts';
import type { Role } from '../../../src/core/tenancy/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker, everyRole, type Person, rolesOf } from '../../helpers/people.ts';

let world: TestApp;
let people: Record<Role, Person>;
let ask: ReturnType<typeof asker>;
let base: string;
beforeEach(async () => {
  world = await openTestApp();
  people = await everyRole(world);
  ask = asker(world);
  base = `/v1/organizations/${world.seed.organizationId}`;
});
afterEach(() => world.close());

const setRole = (by: Person, whose: Person, role: string) =>
  ask('PUT', `${base}/members/${whose.userId}`, by.bearer, { role });
const remove = (by: Person, whose: Person) => ask('DELETE', `${base}/members/${whose.userId}`, by.bearer);
const leave = (who: Person) => ask('POST', `${base}/leave`, who.bearer);
const owners = async () =>
  (await world.ctx.db.sql.select().from(members)).filter(
    ({ role, organizationId }) => role === 'owner' && organizationId === world.seed.organizationId,
  ).length;

const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

test('every member sees who is there', async () => {
  for (const role of ROLES) {
    expect(await rolesOf(world, people[role].bearer)).toEqual(
      Object.fromEntries(ROLES.map((each) => [people[each].userId, each])),
    );
  }
});

describe('changing a role', () => {
  // [who, whose, to what, status]
  const cases: [Role, Role, Role, number][] = [
    ['owner', 'viewer', 'owner', 204],
    ['owner', 'admin', 'viewer', 204],
    ['owner', 'owner', 'admin', 409],
    ['admin', 'viewer', 'admin', 204],
    ['admin', 'admin', 'viewer', 204],
    ['admin', 'viewer', 'owner', 403],
    ['admin', 'admin', 'owner', 403],
    ['admin', 'owner', 'viewer', 403],
    ['member', 'viewer', 'member', 403],
    ['member', 'member', 'admin', 403],
    ['viewer', 'viewer', 'owner', 403],
  ];
  test.each(cases)('%s makes %s %s: %i', async (who, whose, role, status) => {
    const before = await rolesOf(world);
    const reply = await setRole(people[who], people[whose], role);
    expect(reply.status).toBe(status);
    if (status !== 204) expect(reply.body).toEqual({ error: expect.any(String) });
    const after = status === 204 ? { ...before, [people[whose].userId]: role } : before;
    expect(await rolesOf(world)).toEqual(after);
  });

  test('of nobody is 404, of a stranger too, and a role that is none is 400', async () => {
    const stranger = await world.addTenant();
    for (const userId of ['usr_nobody', stranger.userId]) {
      expect((await setRole(people.owner, { ...stranger, userId }, 'viewer')).status).toBe(404);
    }
    expect((await setRole(people.owner, people.viewer, 'god')).status).toBe(400);
    expect((await setRole(stranger, people.viewer, 'admin')).status).toBe(403);
  });

  test('works from the next request on', async () => {
    const create = () => ask('POST', `${base}/projects`, people.viewer.bearer, { name: 'x' });
    expect((await create()).status).toBe(403);
    await setRole(people.admin, people.viewer, 'admin');
    expect((await create()).status).toBe(201);
    await setRole(people.admin, people.viewer, 'viewer');
    expect((await create()).status).toBe(403);
  });
});

describe('removing', () => {
  const cases: [Role, Role, number][] = [
    ['owner', 'admin', 204],
    ['owner', 'owner', 409],
    ['admin', 'viewer', 204],
    ['admin', 'admin', 204],
    ['admin', 'owner', 403],
    ['member', 'viewer', 403],
    ['viewer', 'viewer', 403],
  ];
  test.each(cases)('%s removes %s: %i', async (who, whose, status) => {
    const before = await rolesOf(world);
    expect((await remove(people[who], people[whose])).status).toBe(status);
    const { [people[whose].userId]: _, ...others } = before;
    expect(await rolesOf(world)).toEqual(status === 204 ? others : before);
  });

  test('ends all access at the next request, but not the account', async () => {
    const { bearer } = people.member;
    const read = `/v1/events?projectId=${world.seed.projectId}`;
    expect((await ask('GET', read, bearer)).status).toBe(200);
    await remove(people.admin, people.member);
    for (const path of [read, base, `${base}/members`, `/v1/projects/${world.seed.projectId}/keys`]) {
      expect(await ask('GET', path, bearer)).toEqual({
        status: 403,
        body: { error: 'Not a member of this organization' },
      });
    }
    expect(await ask('GET', '/v1/auth/me', bearer)).toMatchObject({ status: 200, body: { memberships: [] } });
  });
});

describe('leaving', () => {
  test.each(['admin', 'member', 'viewer'] as const)('is open to an %s', async (role) => {
    expect((await leave(people[role])).status).toBe(204);
    expect(await rolesOf(world)).not.toHaveProperty(people[role].userId);
    expect((await leave(people[role])).status).toBe(403);
  });

  test('is not for the last owner', async () => {
    expect(await leave(people.owner)).toEqual({
      status: 409,
      body: { error: expect.stringContaining('needs an owner') },
    });
    await setRole(people.owner, people.viewer, 'owner');
    expect((await leave(people.owner)).status).toBe(204);
    expect(await owners()).toBe(1);
  });
});

describe('handing over', () => {
  const transfer = (by: Person, to: string) => ask('POST', `${base}/transfer`, by.bearer, { userId: to });

  test('makes the other the owner and the owner an admin', async () => {
    expect((await transfer(people.owner, people.viewer.userId)).status).toBe(204);
    expect(await rolesOf(world, people.viewer.bearer)).toMatchObject({
      [people.owner.userId]: 'admin',
      [people.viewer.userId]: 'owner',
    });
    expect((await transfer(people.owner, people.admin.userId)).status).toBe(403);
  });

  test('is for owners only, to members only, and not to oneself', async () => {
    const before = await rolesOf(world);
    expect((await transfer(people.admin, people.viewer.userId)).status).toBe(403);
    expect((await transfer(people.owner, 'usr_nobody')).status).toBe(404);
    expect((await transfer(people.owner, people.owner.userId)).status).toBe(409);
    expect(await rolesOf(world)).toEqual(before);
  });
});

describe('the operator', () => {
  test("gives roles, the owner's too, but takes the last owner's from nobody", async () => {
    const set = (who: Person, role: Role) =>
      world.app.act(setRoleAction, { organization: 'Acme', email: who.email, role });
    await expect(set(people.owner, 'viewer')).rejects.toMatchObject({ status: 409 });
    await expect(
      world.app.act(removeUser, { organization: 'Acme', email: people.owner.email }),
    ).rejects.toMatchObject({ status: 409 });
    await set(people.viewer, 'owner');
    await set(people.owner, 'viewer');
    await world.app.act(removeUser, { organization: 'Acme', email: people.admin.email });
    expect(await rolesOf(world)).toEqual({
      [people.viewer.userId]: 'owner',
      [people.owner.userId]: 'viewer',
      [people.member.userId]: 'member',
    });
  });

  test.each(['nobody@example.com', 'stranger'])('finds %s in no organization of others', async (who) => {
    const email = who === 'stranger' ? (await world.addTenant()).email : who;
    await expect(world.app.act(removeUser, { organization: 'Acme', email })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('at the same moment', () => {
  test('two admins who demote each other: one of them stays admin', async () => {
    for (let round = 0; round < 10; round++) {
      const [first, second] = await Promise.all([world.addUser('admin'), world.addUser('admin')]);
      const replies = await Promise.all([setRole(first, second, 'viewer'), setRole(second, first, 'viewer')]);
      expect(replies.map(({ status }) => status).sort()).toEqual([204, 403]);
      const roles = await rolesOf(world);
      expect([roles[first.userId], roles[second.userId]].sort()).toEqual(['admin', 'viewer']);
    }
  });

  test('two owners who leave: one of them stays', async () => {
    const second = await world.addUser('owner');
    const replies = await Promise.all([leave(people.owner), leave(second)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await owners()).toBe(1);
  });

  test('an owner who leaves, is removed, demoted and hands over: there is an owner at the end', async () => {
    for (let round = 0; round < 5; round++) {
      const others = await Promise.all([world.addUser('owner'), world.addUser('owner')]);
      const all = [...others, people.owner];
      await Promise.all(
        all.flatMap((each, i) => {
          const next = all[(i + 1) % all.length] as Person;
          return [
            leave(each),
            remove(each, next),
            setRole(each, next, 'viewer'),
            ask('POST', `${base}/transfer`, each.bearer, { userId: next.userId }),
          ];
        }),
      );
      expect(await owners()).toBeGreaterThan(0);
      const owner = (await world.ctx.db.sql.select().from(members)).find(({ role }) => role === 'owner');
      people.owner = all.find(({ userId }) => userId === owner?.userId) ?? people.owner;
    }
  });
});
