import { gzipSync } from 'node:zlib';
import type { Route } from '../../../src/http/route.ts';
import type { TestRequest } from '../../helpers/app.ts';
import { type Below, makeValue, oddValue, shapeOf } from './values.ts';

/** A caller: a name for the report, and the headers that identify it. */
export type Caller = { readonly name: string; readonly headers: Readonly<Record<string, string>> };
/** The project and organization that requests name, most of the time, and ids of other things. */
export type Named = {
  readonly projectId: string;
  readonly organizationId: string;
  readonly ids: string[];
};
export type FuzzRequest = { readonly path: string; readonly init: TestRequest };

/** One part in this many is odd. A third of the requests have hardly any, so that they get to the handlers. */
const EVERY = [6, 12, 200];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'];
const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'x',
  '',
];
const CODINGS = ['gzip', 'deflate', 'br', 'identity', 'GZIP', 'gzip, gzip', 'x'];
const HEADERS: readonly [string, string][] = [
  ['origin', 'https://evil.example'],
  ['sec-fetch-site', 'cross-site'],
  ['x-forwarded-for', '1.2.3.4, not an address'],
  ['x-forwarded-proto', 'https'],
  ['cookie', `spanledger_session=${'%'.repeat(50)}; =; ;;`],
  ['cookie', 'spanledger_session=a.b'],
  ['accept', 'text/html;q=x'],
  ['accept-encoding', 'br;q=0, *;q=nan'],
  ['user-agent', 'u'.repeat(5_000)],
  ['content-length', '-1'],
  ['content-length', '99999999999'],
  ['if-none-match', '"'],
  ['range', 'bytes=9-1'],
  ['authorization', 'Bearer'],
  ['authorization', `Basic ${Buffer.from('::::').toString('base64')}`],
  ['authorization', `Bearer ${'e'.repeat(4_000)}`],
  ['x-api-key', `slk_${'0'.repeat(64)}`],
];

const pick = <T>(below: Below, list: readonly T[]): T => list[below(list.length)] as T;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)) ?? '';
/** What a URL can carry: lone surrogates are no text. */
const encode = (value: unknown): string => encodeURIComponent(textOf(value).toWellFormed().slice(0, 4_000));

/** A request to a route: mostly well-formed, with something odd in its path, query, method, headers or body. */
export function requestTo(
  route: Route,
  below: Below,
  { caller, named }: { caller: Caller; named: Named },
): FuzzRequest {
  const method = below(20) === 0 ? pick(below, METHODS) : route.method;
  const headers = new Headers(caller.headers);
  const body = ['GET', 'HEAD'].includes(method) ? null : bodyOf(route, below, { headers, ids: named.ids });
  if (below(5) === 0) headers.set(...pick(below, HEADERS));
  if (below(30) === 0) headers.set('content-encoding', pick(below, CODINGS));
  const path = pathOf(route, below, named) + queryOf(route, below, named);
  return { path, init: { method, headers, ...(body !== null && { body }) } };
}

function pathOf({ path }: Route, below: Below, named: Named): string {
  const own = path.startsWith('/v1/projects/:id') ? named.projectId : named.organizationId;
  const isOwn = /^\/v1\/(projects|organizations)\/:id/.test(path);
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    if (below(8) === 0) return encode(oddValue(below)) || 'none';
    return name === 'id' && isOwn ? own : encode(pick(below, named.ids));
  });
  return below(60) === 0 ? `${filled}/` : filled;
}

function queryOf({ query, auth }: Route, below: Below, named: Named): string {
  const made =
    query === undefined
      ? {}
      : makeValue(shapeOf(query), below, { every: pick(below, EVERY), ids: named.ids });
  const params = new Map(Object.entries(typeof made === 'object' && made !== null ? made : {}));
  if (below(10) > 0 && auth === 'project') params.set('projectId', named.projectId);
  if (below(10) > 0 && auth === 'organization') params.set('organizationId', named.organizationId);
  const parts = [...params].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  if (below(12) === 0) parts.push(pick(below, ['%', '=', '&&', 'a=%ff%fe', 'limit=1&limit=2', 'cursor=%00']));
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function bodyOf(
  route: Route,
  below: Below,
  { headers, ids }: { headers: Headers; ids: readonly string[] },
): Uint8Array<ArrayBuffer> | null {
  const raw = Object.entries(route.rawBody ?? {});
  if (route.body === undefined && raw.length === 0 && below(4) > 0) return null;
  const [type, { schema, example } = {}] = raw.length === 0 ? [] : pick(below, raw);
  headers.set('content-type', below(8) === 0 ? pick(below, TYPES) : (type ?? 'application/json'));
  const wanted = route.body ?? schema;
  const made =
    wanted === undefined || below(8) === 0
      ? (example ?? oddValue(below))
      : makeValue(shapeOf(wanted), below, { every: pick(below, EVERY), ids });
  const text = below(15) === 0 ? textOf(made).slice(0, below(40)) : textOf(made);
  const bytes = new Uint8Array(Buffer.from(text));
  return below(6) === 0 ? compressed(bytes, below, headers) : bytes;
}

/** With gzip, half of the time damaged. */
function compressed(bytes: Uint8Array, below: Below, headers: Headers): Uint8Array<ArrayBuffer> {
  headers.set('content-encoding', 'gzip');
  const zipped = new Uint8Array(gzipSync(bytes));
  if (below(2) === 0) return zipped;
  const at = below(zipped.length);
  zipped[at] = (zipped[at] ?? 0) ^ (1 + below(255));
  return below(2) === 0 ? zipped : zipped.slice(0, at);
}
