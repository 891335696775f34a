import { z } from 'zod';
import type { Access } from '../../core/tenancy/contract.ts';
import type { Route } from '../../http/route.ts';

const SECURITY: Readonly<Record<string, object[]>> = {
  none: [],
  key: [{ apiKey: [] }],
  anyKey: [{ apiKey: [] }],
  session: [{ bearer: [] }],
  project: [{ bearer: [] }],
  organization: [{ bearer: [] }],
} satisfies Record<Access['auth'], object[]>;

const KEY_FAILURES = {
  400: 'The request is wrong',
  401: 'Invalid API key',
  413: 'The body is too large',
  429: 'Rate limit exceeded, or Monthly quota exceeded',
  503: 'The store can not write just now',
};

const MEMBER_FAILURES = {
  400: 'The request is wrong',
  401: 'Not authenticated',
  403: 'Not a member of this organization, or the role may not do this',
  429: 'Rate limit exceeded',
};

/** Statuses of failure by who may call; each has the body `{ "error": string }` (interface.md, Errors). */
const FAILURES: Readonly<Record<string, Record<string, string>>> = {
  none: { 400: 'The request is wrong' },
  key: KEY_FAILURES,
  anyKey: KEY_FAILURES,
  session: { 400: 'The request is wrong', 401: 'Not authenticated', 429: 'Rate limit exceeded' },
  project: MEMBER_FAILURES,
  organization: MEMBER_FAILURES,
} satisfies Record<Access['auth'], object>;

/** The OpenAPI 3.1 document of the routes, from the schemas by which they are checked. */
export function toOpenApi(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Spanledger', version, description: 'The books for your LLM calls.' },
    paths,
    components: {
      schemas: { Error: toSchema(z.object({ error: z.string() })) },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function toOperation(route: Route): object {
  const failures = Object.entries({ ...FAILURES[route.auth], 500: 'Internal server error' }).map(
    ([status, description]) => [
      status,
      { description, content: json({ $ref: '#/components/schemas/Error' }) },
    ],
  );
  const success = route.reply === undefined ? {} : { content: json(toSchema(route.reply)) };
  return {
    tags: [tagOf(route)],
    summary: route.summary,
    security: SECURITY[route.auth],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: json(toSchema(route.body, 'input')) } }),
    responses: {
      [route.status ?? 200]: { description: 'Success', ...success },
      ...Object.fromEntries(failures),
    },
  };
}

function pathParameters(route: Route): object[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters(route: Route): object[] {
  const shape = route.query === undefined ? {} : (toSchema(route.query, 'input') as ObjectSchema);
  const given: ObjectSchema = { properties: {}, required: [], ...shape };
  const scope = scopeParameter(route);
  if (scope !== null) {
    given.properties = { [scope]: { type: 'string' }, ...given.properties };
    given.required = [scope, ...given.required];
  }
  return Object.entries(given.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: given.required.includes(name),
    schema,
  }));
}

/** The query parameter that says which project or organization, where the path does not. */
function scopeParameter({ auth, path }: Route): string | null {
  if (auth === 'project' && !path.startsWith('/v1/projects/:id')) return 'projectId';
  return auth === 'organization' && !path.startsWith('/v1/organizations/:id') ? 'organizationId' : null;
}

type ObjectSchema = { properties: Record<string, unknown>; required: string[] };

function toSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

/** The noun of the path, by which the operations are grouped. */
const tagOf = ({ path }: Route): string => /^\/v1\/([a-z]+)/.exec(path)?.[1] ?? 'health';
