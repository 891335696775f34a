import { expect, test } from 'bun:test';
import pino from 'pino';
import { z } from 'zod';
import { type Ctx, createServices, listService } from '../../src/context.ts';
import { AppError, badRequest, notAMember, notAuthenticated } from '../../src/errors.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { ownSpans } from '../../src/http/own-spans.ts';
import { Reply } from '../../src/http/reply.ts';
import { requestMeter } from '../../src/http/request-meter.ts';
import { bindRoutes, type Guards, type Route } from '../../src/http/route.ts';
import { createFetch } from '../../src/http/server.ts';

/** Callers of these tests' own: the server knows nothing of projects, keys or roles. */
type Callers = { none: null; guest: { readonly room: string } };
const route = bindRoutes<Callers>();
const describeEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;

const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const services = createServices([listService(requestMeter), listService(ownSpans)]);
const ctx: Ctx = { log, config: {}, use: (service) => services.use(ctx, service) } as Ctx;
const guards: Guards<Callers> = {
  none: async () => null,
  guest: async ({ request, query }) => {
    if (request.headers.get('authorization') === null) throw notAuthenticated();
    const room = query('projectId');
    if (!room) throw badRequest('projectId is required');
    if (room !== 'mine') throw notAMember();
    return { room };
  },
};
const reads = describeEndpoint({
  method: 'GET',
  path: '/reads',
  auth: 'guest',
  summary: '',
  query: z.object({ projectId: z.string(), limit: z.coerce.number().int().max(200).default(50) }),
  reply: z.object({ limit: z.int(), project: z.string() }),
});
const makes = describeEndpoint({
  method: 'POST',
  path: '/things/:id',
  auth: 'none',
  summary: '',
  status: 201,
  params: z.object({ id: z.string() }),
  body: z.object({ name: z.string(), nested: z.object({ size: z.int() }) }),
  reply: z.object({ name: z.string(), id: z.string() }),
});
const silent = (path: string) => ({ method: 'GET', path, auth: 'none', summary: '' }) as const;
const routes: Route[] = [
  route(silent('/broken'), () => {
    throw new Error('the password is hunter2');
  }),
  route(silent('/refused'), () => {
    throw new AppError(503, 'Busy', { cause: new Error('the cause'), headers: { 'Retry-After': '7' } });
  }),
  route(reads, (_ctx, { query }, caller) => ({ limit: query.limit, project: caller.room })),
  route(makes, (_ctx, { body, params }) => ({ name: body.name, id: params.id })),
  route(silent('/empty'), () => new Reply(204, null)),
];
const answer = createFetch(ctx, { routes, guards });
const get = (path: string, headers: Record<string, string> = {}) =>
  answer(new Request(`http://localhost${path}`, { headers }));
const post = (path: string, body: string) =>
  answer(new Request(`http://localhost${path}`, { method: 'POST', body }));
const signedIn = { authorization: 'Bearer x' };

test('an unexpected error is a 500 without details, and is logged in full', async () => {
  const response = await get('/broken');
  expect([response.status, await response.json()]).toEqual([500, { error: 'Internal server error' }]);
  expect(lines.at(-1)).toContain('the password is hunter2');
});

test("an AppError's message and headers go out, its cause only into the log", async () => {
  const response = await get('/refused');
  expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([
    503,
    '7',
    '{"error":"Busy"}',
  ]);
  expect(lines.at(-1)).toContain('the cause');
});

test.each<[string, Record<string, string>, number, string]>([
  ['/reads', {}, 401, 'Not authenticated'],
  ['/reads?projectId=mine', {}, 401, 'Not authenticated'],
  ['/reads', signedIn, 400, 'projectId is required'],
  ['/reads?projectId=', signedIn, 400, 'projectId is required'],
  ['/reads?projectId=other', signedIn, 403, 'Not a member of this organization'],
  ['/reads?projectId=other&limit=x', signedIn, 403, 'Not a member of this organization'],
  ['/reads?projectId=mine&limit=x', signedIn, 400, 'limit: '],
  ['/reads?projectId=mine&limit=201', signedIn, 400, 'limit: '],
  ['/nowhere', {}, 404, 'There is no /nowhere here'],
  ['/things/1', {}, 405, 'GET is not allowed here'],
  ['/things/', {}, 404, 'There is no /things/ here'],
])('GET %s with %p is %p', async (path, headers, status, message) => {
  const response = await get(path, headers);
  const { error } = (await response.json()) as { error: string };
  expect([response.status, error.startsWith(message)]).toEqual([status, true]);
});

test('an authorised caller gets the reply', async () => {
  expect(await (await get('/reads?projectId=mine', signedIn)).json()).toEqual({ limit: 50, project: 'mine' });
});

test.each<[string, string]>([
  ['', 'the body is required'],
  ['{', 'the body is not JSON'],
  ['[]', 'the body: '],
  ['{"nested":{"size":1}}', 'name is required'],
  ['{"name":"x","nested":{"size":"1"}}', 'nested.size: '],
])('the body %p is a 400 that names what is wrong', async (body, message) => {
  const response = await post('/things/7', body);
  const { error } = (await response.json()) as { error: string };
  expect([response.status, error.startsWith(message)]).toEqual([400, true]);
});

test('the status of success is the route’s own, and an empty reply has no body', async () => {
  const response = await post('/things/7', '{"name":"x","nested":{"size":1}}');
  expect([response.status, await response.json()]).toEqual([201, { name: 'x', id: '7' }]);
  expect(await (await get('/empty')).text()).toBe('');
});

test('a route whose guard nobody registered is not mounted', () => {
  const unguarded = { ...silent('/'), auth: 'project', handler: () => null };
  expect(() => createFetch(ctx, { routes: [unguarded], guards })).toThrow('GET /: there is no guard project');
});

test('a check of replies sees those of success and turns what it throws into the reply', async () => {
  const seen: string[] = [];
  const checked = createFetch(ctx, {
    routes,
    guards,
    checkReply: async ({ path }, response) => {
      seen.push(`${path} ${await response.clone().text()}`);
      if (path === '/reads') throw new Error('not as its schema says');
    },
  });
  const ask = async (path: string) =>
    (await checked(new Request(`http://localhost${path}`, { headers: signedIn }))).status;
  expect(await ask('/empty')).toBe(204);
  expect(await ask('/reads?projectId=other')).toBe(403);
  expect(await ask('/reads?projectId=mine')).toBe(500);
  expect(seen).toEqual(['/empty ', '/reads {"limit":50,"project":"mine"}']);
});

test('an unknown query parameter is refused by name, with the nearest known one', async () => {
  const refused = await get('/reads?projectId=mine&limt=5', signedIn);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { error: 'There is no parameter limt here; did you mean limit?' },
  ]);
});

test.each(['limit=5&limit=6', 'limit=5&%6Cimit=5', 'projectId=other'])(
  'a parameter that is repeated is refused by name: %s',
  async (again) => {
    const refused = await get(`/reads?projectId=mine&${again}`, signedIn);
    const name = again.startsWith('limit') ? 'limit' : 'projectId';
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: `The parameter ${name} is given 2 times and takes one value; give it once` },
    ]);
  },
);

test('a query of a loose object takes any parameter', async () => {
  const loose = z.looseObject({ code: z.string() });
  const takesAny = createFetch(ctx, { routes: routes.map((one) => ({ ...one, query: loose })), guards });
  const response = await takesAny(
    new Request('http://localhost/reads?projectId=mine&code=1&iss=https://issuer', { headers: signedIn }),
  );
  expect([response.status, response.headers.get('x-ignored-parameters')]).toEqual([200, null]);
});

test('an endpoint that ignores unknown parameters names them in a header', async () => {
  const lenient = createFetch(ctx, {
    routes: routes.map((one) => ({ ...one, ignoresUnknown: true as const })),
    guards,
  });
  const response = await lenient(
    new Request('http://localhost/reads?projectId=mine&limt=5&%0a=1', { headers: signedIn }),
  );
  expect([response.status, response.headers.get('x-ignored-parameters')]).toEqual([200, 'limt, %0A']);
});
