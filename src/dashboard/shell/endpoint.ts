import type { BodyOf, Endpoint, ParamsOf, QueryOf } from '../../http/endpoint.ts';

/** An endpoint as a page names it: at run time only its method and path, because pages must not load zod. */
export type Handle<E extends Endpoint> = {
  readonly method: Endpoint['method'];
  readonly path: string;
  /** Of the type only: the endpoint that the contract describes. */
  readonly endpoint?: E;
};

/**
 * Names an endpoint of a contract, whose type is imported only.
 * @example const costs = endpointOf<typeof costsEndpoint>('GET /v1/costs');
 */
export function endpointOf<E extends Endpoint>(name: `${E['method']} ${E['path']}`): Handle<E> {
  const space = name.indexOf(' ');
  return { method: name.slice(0, space) as E['method'], path: name.slice(space + 1) };
}

/** Query parameters; undefined ones are left out. */
export type Params = Readonly<Record<string, string | number | undefined>>;

/** What stands in an address: numbers are written as text, and what is undefined is left out. */
type Written<T> = { readonly [K in keyof T]: string | number | undefined };
type Part<K extends string, T> = [T] extends [undefined]
  ? { readonly [P in K]?: never }
  : { readonly [P in K]: T };

/** Parameters of the path and the query that an endpoint takes. */
export type Asked<E> = Part<'params', ParamsOf<E>> & Part<'query', QueryArgs<E>>;
type QueryArgs<E> = [QueryOf<E>] extends [undefined] ? undefined : Written<QueryOf<E>>;

/** The same with the body that is sent. */
export type Sent<E> = Asked<E> & Part<'body', BodyOf<E>>;

/** The path of an endpoint with its parameters. */
export const pathOf = (path: string, params: Readonly<Record<string, unknown>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
