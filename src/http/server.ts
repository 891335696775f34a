import { Hono, type Context as HonoContext } from 'hono';
import type { Ctx } from '../context.ts';
import { fileFaultOf } from '../db/file-fault.ts';
import { underlyingError } from '../db/query-error.ts';
import { AppError } from '../errors.ts';
import { createOncePer } from '../lib/once-per.ts';
import { HOUR_MS } from '../lib/time.ts';
import { type BodyLimits, checkBodyHeaders, JSON_LIMITS, OPEN_JSON_LIMITS } from './body/body-limits.ts';
import { readJson } from './body/read-json.ts';
import { createAddressReader } from './client-address.ts';
import { noteForwarded } from './forwarded-notice.ts';
import { ownSpans, requestSpan } from './own-spans.ts';
import { checkParameters } from './query-names.ts';
import { Reply, toResponse } from './reply.ts';
import { requestMeter } from './request-meter.ts';
import type { Guards, Route } from './route.ts';
import { createHeaderWriter } from './secure-headers.ts';
import { parseInput } from './validate.ts';

/** The peer of the connection, taken from the socket because headers can be forged. */
export type ClientAddress = { readonly address: string | null };

/** The client's address, and the one of the connection. */
type Env = { Bindings: ClientAddress & { readonly peer: string | null } };

/** Inspects each successful reply before it is sent; an error that it throws becomes the reply. For tests. */
export type ReplyCheck = (route: Route, response: Response) => Promise<void>;

export type Served<Callers> = {
  readonly routes: readonly Route[];
  /** Guards by the `auth` of routes. An `auth` without a guard throws. */
  readonly guards: Guards<Callers>;
  readonly checkReply?: ReplyCheck | undefined;
  readonly elsewhere?: Elsewhere | undefined;
  /** What to change where a request is of no route. */
  readonly hintForPath?: ((method: string, pathname: string) => string | undefined) | undefined;
};

/** The reply of another server to a request of a route; null if this one answers it. Throws AppError. */
export type Elsewhere = (route: Route, request: Request, from: ClientAddress) => Promise<Response> | null;

/**
 * Mounts the routes. Every failure is sent as `{ "error": … }`; errors other than AppError are logged, and the client
 * sees only a generic message. Throws if a route names an unknown guard.
 */
export function createFetch<Callers>(
  ctx: Ctx,
  { routes, guards, checkReply, elsewhere, hintForPath }: Served<Callers>,
): (request: Request, from?: ClientAddress) => Promise<Response> {
  const app = new Hono<Env>();
  const addressOf = createAddressReader(ctx.config.TRUSTED_PROXIES);
  const routeOf = new WeakMap<Request, Route>();
  const meter = ctx.use(requestMeter);
  const spans = ctx.use(ownSpans);
  const unexpected = new WeakMap<Request, unknown>();
  const withHeaders = createHeaderWriter(ctx.config);
  for (const route of routes) {
    const guard = guardOf(route, guards);
    app.on(route.method, route.path, async (c) => {
      routeOf.set(c.req.raw, route);
      const other = await elsewhere?.(route, c.req.raw, { address: c.env.peer });
      if (other != null) return other;
      const response = toResponse(await runRoute(ctx, route, guard, c));
      if (route.ignoresUnknown === true) nameIgnored(response, checkParameters(route, c.req.queries()));
      await checkReply?.(route, response);
      return response;
    });
  }
  const isDue = createOncePer({ windowMs: HOUR_MS, maxKeys: MAX_HINTS });
  app.notFound((c) => {
    const { method, url } = c.req.raw;
    const { pathname } = new URL(url);
    const hint = hintForPath?.(method, pathname);
    // Exporters are silent by default, so that their users look here.
    if (hint !== undefined && isDue(hint, ctx.now()))
      ctx.log.warn({ method, path: pathname.slice(0, 200) }, `no such route: ${hint}`);
    return toResponse(missing({ method, pathname, hint }, routes));
  });
  app.onError((error, c) => {
    const reply = fromError(ctx, error, c.req.raw);
    if (reply.status === 500) unexpected.set(c.req.raw, underlyingError(error));
    return toResponse(reply);
  });
  return async (request, from = { address: null }) => {
    const since = performance.now();
    const whole = withUrl(request);
    noteForwarded(ctx, request, from.address);
    const response =
      whole === null
        ? toResponse(new Reply(400, { error: 'The Host header is not valid' }))
        : await app.fetch(whole, { peer: from.address, address: addressOf(whole, from.address) });
    const { method } = request;
    const { status } = response;
    const route = (whole === null ? undefined : routeOf.get(whole)?.path) ?? 'none';
    const ms = performance.now() - since;
    meter.count({ method, route, status, seconds: ms / 1_000 });
    if (spans.isOn) {
      const thrown = whole === null ? undefined : unexpected.get(whole);
      const span = requestSpan({ method, route, status, endedAt: ctx.now(), ms, thrown });
      if (span !== null) spans.add(span);
    }
    return withHeaders(response, request, from.address);
  };
}

/** HTTP/1.0 clients may omit the Host header; the URL is then only a path. Null if the Host is invalid. */
function withUrl(request: Request): Request | null {
  if (URL.canParse(request.url)) return request;
  const url = `http://localhost${request.url}`;
  return request.headers.has('host') || !URL.canParse(url) ? null : new Request(url, request);
}

type Guard = Guards<Record<string, unknown>>[string];

function guardOf<Callers>({ auth, method, path }: Route, guards: Guards<Callers>): Guard {
  const guard = Object.hasOwn(guards, auth) ? guards[auth as keyof Callers] : undefined;
  if (guard === undefined) throw new Error(`${method} ${path}: there is no guard ${auth}`);
  return guard;
}

/** The limits of a route's body; null if it takes none. */
const limitsOf = ({ body, bodyLimits, auth }: Route): BodyLimits | null =>
  bodyLimits ?? (body === undefined ? null : auth === 'none' ? OPEN_JSON_LIMITS : JSON_LIMITS);

/**
 * Checks in order of cost: the headers of the body (413, 415), the caller and their limits (401, 403, 429), the query
 * (400), and only then reads the body (400).
 */
async function runRoute(ctx: Ctx, route: Route, guard: Guard, c: HonoContext<Env>): Promise<unknown> {
  const request = c.req.raw;
  const { address } = c.env;
  const limits = limitsOf(route);
  if (limits !== null) checkBodyHeaders(request, limits);
  const caller = await guard({
    endpoint: route,
    request,
    address,
    param: (name) => c.req.param(name),
    query: (name) => c.req.query(name),
  });
  checkParameters(route, c.req.queries());
  const query = route.query === undefined ? undefined : parseInput(route.query, c.req.query());
  const params = route.params === undefined ? c.req.param() : parseInput(route.params, c.req.param());
  const body =
    route.body === undefined
      ? undefined
      : parseInput(route.body, await readJson(request, limits ?? JSON_LIMITS));
  const result = await route.handler(ctx, { query, params, body, request, address }, caller);
  return route.status === undefined || result instanceof Reply || result instanceof Response
    ? result
    : new Reply(route.status, result);
}

const MAX_NAMED = 1_000;
/** Hints are few texts. */
const MAX_HINTS = 100;

function nameIgnored({ headers }: Response, ignored: readonly string[]): void {
  const names = ignored.map(encodeURIComponent).join(', ').slice(0, MAX_NAMED);
  if (names !== '') headers.set('X-Ignored-Parameters', names);
}

type Stray = { readonly method: string; readonly pathname: string; readonly hint: string | undefined };

function missing({ method, pathname, hint }: Stray, routes: readonly Route[]): Reply {
  const methods = routes.filter((route) => matches(route.path, pathname)).map((route) => route.method);
  const more = hint === undefined ? {} : { hint };
  if (methods.length === 0)
    return new Reply(404, { ...more, error: `There is no ${pathname.slice(0, 200)} here` });
  return new Reply(405, { ...more, error: `${method} is not allowed here` }, { Allow: methods.join(', ') });
}

/** Whether a path is that of a route. A parameter is never empty, so `/v1/events/` is not `/v1/events/:id`. */
function matches(path: string, pathname: string): boolean {
  const wanted = path.split('/');
  const given = pathname.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  );
}

function fromError(ctx: Ctx, thrown: unknown, request: Request): Reply {
  const underlying = underlyingError(thrown);
  const error = fileFaultOf(underlying) ?? underlying;
  if (error instanceof AppError) {
    if (error.cause !== undefined) {
      // Failures that any client can cause must not fill the log.
      const level = error.status >= 500 ? 'warn' : 'debug';
      ctx.log[level]({ err: error.cause, path: new URL(request.url).pathname }, error.message);
    }
    return new Reply(error.status, { ...error.more, error: error.message }, error.headers);
  }
  ctx.log.error(
    { err: thrown, method: request.method, path: new URL(request.url).pathname },
    'unhandled error',
  );
  return new Reply(500, { error: 'Internal server error' });
}
