import { expect, test } from 'bun:test';
import { z } from 'zod';
import { defineEndpoint, projectQuery, ROLES } from '../../../src/core/tenancy/contract.ts';
import {
  checkedOrganization,
  type EventScope,
  extendScope,
  hasRole,
  type OrganizationScope,
  ofProject,
  ofProjects,
  operatorScope,
  type ProjectScope,
  projectWithin,
  route,
} from '../../../src/core/tenancy/index.ts';
import { Reply } from '../../../src/http/reply.ts';
import { JsonText } from '../../../src/lib/json-text.ts';

const costs = defineEndpoint({
  method: 'GET',
  path: '/v1/costs',
  auth: 'project',
  summary: '',
  query: projectQuery,
  reply: z.object({ cost: z.number() }),
});

test('a role has the rights of those below it, and none of an unknown one', () => {
  for (const [i, role] of ROLES.entries()) {
    for (const [j, least] of ROLES.entries()) expect(hasRole(role, least)).toBe(i <= j);
    expect(hasRole(role, 'emperor')).toBe(false);
  }
});

test('a scope is made by a guard, by the operator or within a checked organization', () => {
  const ids = { projectId: 'p', no: 1, organizationId: 'o' };
  expect(operatorScope({ id: 'p', no: 1, organizationId: 'o' })).toEqual(ids as ProjectScope);
  expect(projectWithin(checkedOrganization('o'), { projectId: 'p', no: 1 })).toEqual(ids as ProjectScope);
});

test('reads of events count as those of the organization', () => {
  const mine = ['p', 'q'].map((id, place) => operatorScope({ id, no: place + 1, organizationId: 'o' }));
  expect<object>(ofProjects(mine)).toEqual({ projects: [1, 2], owner: 'o' });
});

test('a scope keeps its own properties when it is extended', () => {
  const scope = operatorScope({ id: 'p', no: 1, organizationId: 'o' });
  const more = { projectId: 'other', keyId: 'k' };
  expect<object>(extendScope(scope, more)).toEqual({ ...scope, keyId: 'k' });
});

test('what the types forbid', () => {
  // @ts-expect-error a literal proves nothing
  const forged: ProjectScope = { projectId: 'p', no: 1, organizationId: 'o' };
  // @ts-expect-error nor does an organization's
  const other: OrganizationScope = { organizationId: 'o' };
  // @ts-expect-error a project is no organization
  const swapped: OrganizationScope = operatorScope({ id: 'p', no: 1, organizationId: 'o' });
  const mine = operatorScope({ id: 'p', no: 1, organizationId: 'o' });
  // @ts-expect-error a changed copy proves nothing
  const copied: ProjectScope = { ...mine, projectId: 'other' };
  // @ts-expect-error nor do numbers of projects
  const numbers: EventScope = { projects: [1], owner: 'o' };
  // @ts-expect-error events are read in a scope made for it
  const unmade: EventScope = { ...ofProject(mine), projects: [2] };
  const base = { method: 'GET', path: '/', summary: '' } as const;
  // @ts-expect-error a misspelt role would let everybody in
  defineEndpoint({ ...base, auth: 'project', rol: 'admin' });
  // @ts-expect-error only members have a role
  defineEndpoint({ ...base, auth: 'session', role: 'admin' });
  // @ts-expect-error there is no such guard
  defineEndpoint({ ...base, auth: 'nobody' });
  // @ts-expect-error the reply's type is another
  route(costs, () => ({ cost: '1' }));
  // @ts-expect-error a property is missing
  route(costs, () => ({}));
  // @ts-expect-error so is it in JSON that a reader wrote
  route(costs, () => new JsonText<{ cents: number }>('{}'));
  // @ts-expect-error the caller of a project has no key
  route(costs, (_ctx, _input, caller) => ({ cost: caller.keyId }));
  // @ts-expect-error there is no such parameter
  route(costs, (_ctx, { query }) => ({ cost: query.limit }));
  expect([forged, other, swapped, copied, numbers, unmade]).toHaveLength(6);
});

test('a handler returns the reply, its JSON, or either with a status', () => {
  const routes = [
    route(costs, () => ({ cost: 1 })),
    route(costs, async () => new JsonText<{ cost: number }>('{"cost":1}')),
    route(costs, () => new Reply(202, { cost: 1 })),
    route(costs, () => new Response('1')),
  ];
  expect(routes.map(({ path }) => path)).toEqual(new Array(4).fill('/v1/costs'));
});
