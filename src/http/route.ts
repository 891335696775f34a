import type { Ctx } from '../context.ts';
import type { Endpoint, InputOf, ReplyOf } from './endpoint.ts';
import type { Result } from './reply.ts';

/** A request before its input is parsed, as a guard sees it. */
export type Asked = {
  readonly endpoint: Endpoint;
  readonly request: Request;
  /** As in `InputOf`. */
  readonly address: string | null;
  /** A parameter of the path. */
  param(name: string): string | undefined;
  /** A parameter of the query. */
  query(name: string): string | undefined;
};

/** The guard for each `auth` of endpoints. It identifies the caller, or throws AppError 401, 403 or 429. */
export type Guards<Callers> = { readonly [A in keyof Callers]: (asked: Asked) => Promise<Callers[A]> };

/** An endpoint bound to its handler, with the types erased so that one list can hold all routes. */
export type Route = Endpoint & {
  // A method: its parameters are compared both ways, so that a handler of narrower input fits.
  handler(
    ctx: Ctx,
    input: Pick<InputOf<unknown>, 'request' | 'address'> & Record<'query' | 'params' | 'body', unknown>,
    caller: unknown,
  ): unknown;
};

/** Answers an endpoint's requests. Throws AppError. */
export type Handler<E, Caller> = (
  ctx: Ctx,
  input: InputOf<E>,
  caller: Caller,
) => Result<ReplyOf<E>> | Promise<Result<ReplyOf<E>>>;

/** Binds an endpoint to its handler, whose input, caller and result have the endpoint's types. */
export type BindRoute<Callers> = <E extends Endpoint & { readonly auth: keyof Callers }>(
  endpoint: E,
  handler: Handler<E, Callers[E['auth']]>,
) => Route;

/** @returns the function that binds endpoints to handlers, for one family of callers by `auth` */
export const bindRoutes =
  <Callers>(): BindRoute<Callers> =>
  (endpoint, handler) => ({ ...endpoint, handler });
