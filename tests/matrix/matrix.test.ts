import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createTokenAction } from '../../src/core/access-tokens/index.ts';
import { GRANTED_SCOPES } from '../../src/core/tenancy/contract.ts';
import { modules } from '../../src/features.ts';
import { openTestApp, type Tenant, type TestApp } from '../helpers/app.ts';
import { HIDDEN, ROUTES } from './routes.ts';
import { makeStates, type State } from './states.ts';

type Document = { paths: Record<string, Record<string, { security: Security }>> };
const MESSAGES: Record<number, RegExp> = {
  401: /^(Not authenticated|Invalid API key)$/,
  403: /^(Not a member of this organization|Only operators see this; the setting OPERATORS of the server names them|This requires the role (owner|admin|member); yours is \w+|Access tokens are not accepted here; sign in instead|This access token (lacks the scope (read|read or prompts:read|read or ai:use|read or datasets:write or experiments:run|read or experiments:run|datasets:write|experiments:run|guardrails:check|scores:write|deployments:write|ai:use); create one with it|is for another project; use one for this project|is for one project; create one for the organization))$/,
};
type Security = Record<string, string[]>[];

let world: TestApp;
let other: Tenant;
let states: State[];
let document: Document;
beforeAll(async () => {
  world = await openTestApp({ rateLimits: false, env: { OPERATORS: 'ada@example.com' } });
  other = await world.addTenant();
  states = await makeStates(world, other);
  document = (await (await world.fetch('/v1/openapi.json')).json()) as Document;
});
afterAll(() => world.close());

const all = Object.entries({ ...ROUTES, ...HIDDEN }).map(([route, row]) => {
  const [method = '', path = ''] = route.split(' ');
  const [guard = '', ...scopes] = row.split(' +');
  return { route, method, path, guard, scopes, kind: guard.split(':')[0] ?? '' };
});
const guarded = all.filter(({ kind }) => kind !== 'none');

/** A request from an address of its own: the limit on failures by address is not what this is about. */
const call: TestApp['fetch'] = (path, init) => {
  const address = `10.0.${called >> 8}.${called++ & 255}`;
  return world.fetch(path, { address, ...init });
};
let called = 0;

type Named = { readonly projectId: string; readonly organizationId: string };

/** The URL of a route about a project and organization; other ids in it by the name of their parameter. */
function urlOf(path: string, kind: string, named: Named, ids: Readonly<Record<string, string>> = {}): string {
  const inPath = { project: '/v1/projects/{id}', organization: '/v1/organizations/{id}' }[kind];
  const own = kind === 'project' ? named.projectId : named.organizationId;
  const isInPath = inPath !== undefined && path.startsWith(inPath);
  const filled = (isInPath ? path.replace('{id}', own) : path).replace(
    /\{(\w+)\}/g,
    (_, name) => ids[name] ?? 'none',
  );
  if (isInPath || inPath === undefined) return filled;
  return `${filled}?${kind}Id=${own}`;
}

describe('the table of routes', () => {
  test('has every route of the OpenAPI document, and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const missing = documented.filter((route) => !(route in ROUTES));
    expect(missing, 'Add who may call these routes to tests/matrix/routes.ts').toEqual([]);
    const gone = Object.keys(ROUTES).filter((route) => !documented.includes(route));
    expect(gone, 'Remove these routes from tests/matrix/routes.ts: they do not exist').toEqual([]);
  });

  test('asks for the credential that the document names', () => {
    for (const { route, method, path, kind } of all) {
      if (route in HIDDEN) continue;
      const schemes = document.paths[path]?.[method.toLowerCase()]?.security.flatMap(Object.keys) ?? [];
      const wanted = { none: undefined, key: 'apiKey' }[kind] ?? (kind === 'none' ? undefined : 'bearer');
      expect([path, schemes.includes(wanted ?? ''), schemes.length > 0]).toEqual([
        path,
        wanted !== undefined,
        wanted !== undefined,
      ]);
    }
  });

  test('has the scopes of access tokens that the document names', () => {
    for (const { route, method, path, scopes } of all) {
      if (route in HIDDEN) continue;
      const documented = document.paths[path]?.[method.toLowerCase()]?.security.flatMap(
        ({ accessToken = [] }) => accessToken,
      );
      expect([route, documented]).toEqual([route, scopes]);
    }
  });

  test('admits no access token to people, keys, access tokens and channels, and to sign-ins', () => {
    const forbidden = /\/(members|invitations|keys|access-tokens|channels|auth|leave|transfer)\b/;
    const open = all.filter(({ path, scopes }) => forbidden.test(path) && scopes.length > 0);
    expect(open.map(({ route }) => route)).toEqual([]);
    expect(all.filter(({ path }) => forbidden.test(path)).length).toBeGreaterThan(20);
  });

  test('can grant exactly the scopes that admit to some route', () => {
    expect<string[]>([...GRANTED_SCOPES].sort()).toEqual(
      [...new Set(all.flatMap(({ scopes }) => scopes))].sort(),
    );
  });

  test('has what the document leaves out, besides the pages of the product', () => {
    const hidden = modules.flatMap((module) => module.routes ?? []).filter((route) => route.hidden);
    const others = hidden.filter(({ auth, method }) => auth !== 'none' || method !== 'GET');
    expect(others.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(HIDDEN).sort());
  });
});

describe.each(guarded)('$route', ({ method, path, guard, scopes, kind }) => {
  test('refuses every other credential with the right status', async () => {
    for (const { name, headers, expected } of states) {
      const status = expected(guard, scopes);
      if (status === null) continue;
      const response = await call(urlOf(path, kind, world.seed), { method, headers });
      const { error } = (await response.json()) as { error: string };
      expect([name, response.status]).toEqual([name, status]);
      expect(error).toMatch(MESSAGES[status] ?? /never/);
      expect(status === 401 && kind === 'key' ? error : 'Invalid API key').toBe('Invalid API key');
    }
  });
});

describe.each(guarded.filter(({ kind }) => kind === 'project' || kind === 'organization'))(
  '$route',
  ({ method, path, kind }) => {
    test.each(['the owner', 'a token of the owner', 'a token of the owner for one project'])(
      "gives %s the same reply for another tenant's id as for an unknown id",
      async (who) => {
        const headers = states.find(({ name }) => name === who)?.headers ?? {};
        const missing = { projectId: 'prj_0', organizationId: 'org_0' };
        const [foreign, none, long] = await Promise.all(
          [other, missing, { projectId: 'p'.repeat(5_000), organizationId: 'o'.repeat(5_000) }].map(
            async (named) => {
              const response = await call(urlOf(path, kind, named), { method, headers });
              return [response.status, await response.text(), [...response.headers]];
            },
          ),
        );
        expect(foreign).toEqual(none);
        expect(long).toEqual(none);
        expect(foreign?.[0]).toBe(403);
      },
    );
  },
);

describe('ids inside what one may see', () => {
  const nested = guarded.filter(
    ({ path, kind }) =>
      /\{(?!id\})/.test(path.replace(/^\/v1\/(projects|organizations)\/\{id\}/, '')) ||
      (/\{id\}/.test(path) && !path.startsWith(`/v1/${kind}s/{id}`)),
  );
  test.each(nested)('$route: a foreign one answers as a missing one', async ({ method, path, kind }) => {
    const owner = states.find(({ name }) => name === 'the owner')?.headers ?? {};
    const ask = async (ids: Record<string, string>) => {
      const response = await call(urlOf(path, kind, world.seed, ids), { method, headers: owner });
      const text = await response.text();
      return [response.status, Object.values(ids).reduce((seen, id) => seen.replaceAll(id, 'ID'), text)];
    };
    const foreign = {
      keyId: other.keyId,
      userId: other.userId,
      sessionId: other.userId,
      id: other.projectId,
    };
    expect(await ask(foreign)).toEqual(
      await ask({ keyId: 'key_0', userId: 'usr_0', sessionId: 'ses_0', id: 'xyz_0' }),
    );
  });
});

describe('who is to be let in', () => {
  const reads = guarded.filter(({ method }) => method === 'GET');
  test.each(reads)('$route lets in', async ({ method, path, guard, scopes, kind }) => {
    for (const { name, headers, expected } of states) {
      if (expected(guard, scopes) !== null) continue;
      const { status } = await call(urlOf(path, kind, world.seed), { method, headers });
      expect([name, [401, 403, 500].includes(status)]).toEqual([name, false]);
    }
  });

  const writes = guarded.filter(({ method }) => method !== 'GET');
  test.each(writes)('$route lets in the least who may', async ({ method, path, guard, scopes, kind }) => {
    const fresh = await openTestApp();
    try {
      const least = (guard.split(':')[1] ?? 'viewer') as 'owner';
      const headers: Record<string, string> =
        kind === 'key'
          ? { 'x-api-key': fresh.seed.apiKey }
          : { Authorization: `Bearer ${(await fresh.addUser(least)).bearer}` };
      const response = await fresh.fetch(urlOf(path, kind, fresh.seed), { method, headers });
      expect([401, 500].includes(response.status)).toBe(false);
      if (response.status === 403)
        expect(await response.text()).not.toMatch(/Not a member|This requires the role/);
      for (const scope of scopes) {
        const { token } = await fresh.app.act(createTokenAction, {
          organization: fresh.seed.organizationId,
          user: fresh.seed.email,
          name: 't',
          scopes: [scope],
        });
        const { status } = await fresh.fetch(urlOf(path, kind, fresh.seed), {
          method,
          headers: { Authorization: `Bearer ${token}` },
        });
        expect([scope, [401, 403, 500].includes(status)]).toEqual([scope, false]);
      }
    } finally {
      await fresh.close();
    }
  });
});

test('a key writes to its own project, whatever the request says', async () => {
  const events = [
    {
      provider: 'openai',
      model: 'gpt-4o',
      project: other.projectId,
      projectId: other.projectId,
      organizationId: other.organizationId,
    },
  ];
  const headers = states.find(({ name }) => name === 'a key')?.headers ?? {};
  const reply = await world.fetch(`/v1/ingest?projectId=${other.projectId}`, { headers, events });
  expect(reply.status).toBe(202);
  const [own, foreign] = await Promise.all(
    [
      [world.seed.projectId, world.seed.email],
      [other.projectId, other.email],
    ].map(async ([project, email]) => {
      const page = await world.fetch(`/v1/events?projectId=${project}`, {
        bearer: await world.signIn(email ?? ''),
      });
      return ((await page.json()) as { total: number }).total;
    }),
  );
  expect([own, foreign]).toEqual([1, 0]);
});
