import { Hono, type Context as HonoContext } from 'hono';
import type { Ctx } from '../context.ts';
import { underlyingError } from '../db/query-error.ts';
import { AppError, badRequest, roleTooLow } from '../errors.ts';
import { createAddressReader } from './client-address.ts';
import { readBody } from './read-body.ts';
import { Reply, toResponse } from './reply.ts';
import { type Caller, hasRole, type Route } from './route.ts';
import { parseInput } from './validate.ts';

/** The peer of the connection, as the socket knows it: headers can be forged. */
export type ClientAddress = { readonly address: string | null };

/** How a route's caller is established. Throws AppError 401, 403 or 429. */
export type Guards = {
  key(request: Request, address: string | null, anywhere?: boolean): Promise<Caller['key']>;
  session(request: Request): Promise<Caller['session']>;
  project(session: Caller['session'], projectId: string): Promise<Caller['project']>;
  organization(session: Caller['session'], organizationId: string): Promise<Caller['organization']>;
};

type Env = { Bindings: ClientAddress };

const JSON_BODY = { maxCompressed: 1_000_000, maxRaw: 1_000_000, encodings: ['gzip'] } as const;

/** Mounts the routes. Every failure leaves as `{ "error": … }`; what is not an AppError is logged and hidden. */
export function createFetch(
  ctx: Ctx,
  routes: readonly Route[],
  guards: Guards,
): (request: Request, from?: ClientAddress) => Promise<Response> {
  const app = new Hono<Env>();
  const addressOf = createAddressReader(ctx.config.TRUSTED_PROXIES);
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => toResponse(await runRoute(ctx, route, guards, c)));
  }
  app.notFound((c) => toResponse(missing(c.req.raw, routes)));
  app.onError((error, c) => toResponse(fromError(ctx, error, c.req.raw)));
  return async (request, from = { address: null }) => {
    const whole = withUrl(request);
    return whole === null
      ? toResponse(new Reply(400, { error: 'The Host header is not a host' }))
      : app.fetch(whole, { ...from, address: addressOf(whole, from.address) });
  };
}

/** Without a Host, which HTTP/1.0 need not send, the URL is a path only. Null for a Host that is none. */
function withUrl(request: Request): Request | null {
  if (URL.canParse(request.url)) return request;
  const url = `http://localhost${request.url}`;
  return request.headers.has('host') || !URL.canParse(url) ? null : new Request(url, request);
}

async function runRoute(ctx: Ctx, route: Route, guards: Guards, c: HonoContext<Env>): Promise<unknown> {
  const request = c.req.raw;
  const caller = await identify(ctx, route, guards, c);
  const query = route.query === undefined ? undefined : parseInput(route.query, c.req.query());
  const params = route.params === undefined ? c.req.param() : parseInput(route.params, c.req.param());
  const body = route.body === undefined ? undefined : parseInput(route.body, await readJson(request));
  const input = { query, params, body, request, address: c.env.address };
  const result = await route.handler(ctx, input, caller as never);
  return route.status === undefined || result instanceof Reply || result instanceof Response
    ? result
    : new Reply(route.status, result);
}

/** First who calls (401), then whether the request says of what (400), then whether they may (403). */
async function identify(
  ctx: Ctx,
  route: Route,
  guards: Guards,
  c: HonoContext<Env>,
): Promise<Caller[keyof Caller]> {
  if (route.auth === 'none') return null;
  if (route.auth === 'key') return guards.key(c.req.raw, c.env.address, route.keyInAuthorization);
  const session = await guards.session(c.req.raw);
  if (route.auth === 'session') return session;
  const id = idOf(route, c);
  const member =
    route.auth === 'project' ? await guards.project(session, id) : await guards.organization(session, id);
  if (route.role !== undefined && !hasRole(member.role, route.role))
    throw roleTooLow(member.role, route.role);
  if (route.limit !== undefined) {
    const { organizationId } = 'scope' in member ? member.scope : member;
    await ctx.limits.hit(route.limit, organizationId);
  }
  return member;
}

/** The project or organization that a request is about. */
function idOf(route: Route, c: HonoContext<Env>): string {
  const [name, folder] =
    route.auth === 'project'
      ? ['projectId', '/v1/projects/:id']
      : ['organizationId', '/v1/organizations/:id'];
  const id = route.path.startsWith(folder) ? c.req.param('id') : c.req.query(name);
  if (id === undefined || id === '') throw badRequest(`${name} is required`);
  return id;
}

async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request, JSON_BODY);
  try {
    return bytes.length === 0
      ? undefined
      : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw badRequest(
      `the body is not JSON: ${error instanceof Error ? error.message : 'it can not be read'}`,
    );
  }
}

function missing(request: Request, routes: readonly Route[]): Reply {
  const { pathname } = new URL(request.url);
  const methods = routes.filter((route) => matches(route.path, pathname)).map((route) => route.method);
  if (methods.length === 0) return new Reply(404, { error: `There is no ${pathname.slice(0, 200)} here` });
  return new Reply(405, { error: `${request.method} is not allowed here` }, { Allow: methods.join(', ') });
}

function matches(path: string, pathname: string): boolean {
  const wanted = path.split('/');
  const given = pathname.split('/');
  return (
    wanted.length === given.length && wanted.every((part, i) => part.startsWith(':') || part === given[i])
  );
}

function fromError(ctx: Ctx, thrown: unknown, request: Request): Reply {
  const error = underlyingError(thrown);
  if (error instanceof AppError) {
    if (error.cause !== undefined) {
      // What a stranger can send at will must not fill the log.
      const level = error.status >= 500 ? 'warn' : 'debug';
      ctx.log[level]({ err: error.cause, path: new URL(request.url).pathname }, error.message);
    }
    return new Reply(error.status, { error: error.message }, error.headers);
  }
  ctx.log.error(
    { err: thrown, method: request.method, path: new URL(request.url).pathname },
    'unhandled error',
  );
  return new Reply(500, { error: 'Internal server error' });
}
