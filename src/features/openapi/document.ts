import { z } from 'zod';
import type { Access } from '../../core/tenancy/contract.ts';
import { scopesOf } from '../../core/tenancy/index.ts';
import type { Route } from '../../http/route.ts';
import conventions from './conventions.md' with { type: 'text' };
import { createSchemas, type Schemas } from './schemas.ts';

const CREDENTIALS: Readonly<Record<string, object[]>> = {
  none: [],
  key: [{ apiKey: [] }],
  anyKey: [{ apiKey: [] }],
  session: [{ bearer: [] }],
  reader: [{ bearer: [] }],
  project: [{ bearer: [] }],
  organization: [{ bearer: [] }],
} satisfies Record<Access['auth'], object[]>;

/** The alternatives: a credential of the `auth`, or an access token with any one of the scopes. */
const securityOf = (route: Route): object[] => [
  ...(CREDENTIALS[route.auth] ?? []),
  ...scopesOf(route).map((scope) => ({ accessToken: [scope] })),
];

const KEY_FAILURES = {
  400: 'The request is invalid',
  401: 'Invalid API key',
  429: 'Rate limit exceeded, or Monthly quota exceeded',
};

const MEMBER_FAILURES = {
  400: 'The request is invalid',
  401: 'Not authenticated',
  403: 'Not a member of this organization, the role is too low, or the access token lacks the scope',
  429: 'Rate limit exceeded',
};

/** Failure statuses by `auth`; each has the body `{ "error": string }`. */
const FAILURES: Readonly<Record<string, Record<string, string>>> = {
  none: {
    400: 'The request is invalid',
    401: 'What proves who you are is wrong, or a second factor is needed',
    403: 'The link is not valid any more, or the request came from another site',
    429: 'Rate limit exceeded',
  },
  key: KEY_FAILURES,
  anyKey: KEY_FAILURES,
  session: { 400: 'The request is invalid', 401: 'Not authenticated', 429: 'Rate limit exceeded' },
  reader: MEMBER_FAILURES,
  project: MEMBER_FAILURES,
  organization: MEMBER_FAILURES,
} satisfies Record<Access['auth'], object>;

/** All failures of a route: by its credential, by what it names, and by what it changes. */
function failuresOf({ auth, method, path, body, rawBody }: Route): Record<string, string> {
  const named = path.replace(`/v1/${auth}s/:id`, '').includes(':');
  return {
    ...FAILURES[auth],
    ...(named && { 404: 'There is no such thing in the project or organization' }),
    ...(method !== 'GET' &&
      !auth.endsWith('ey') && {
        409: 'The state of what is there does not allow it: changed meanwhile, there already, or too many',
      }),
    ...((body ?? rawBody) !== undefined && { 413: 'The body is too large' }),
    500: 'Internal server error',
    503: 'The server is busy or cannot write at the moment; try again after `Retry-After` seconds',
  };
}

/** What a new user needs comes before accounts and settings. */
const FIRST = ['ingest', 'otel', 'events', 'traces', 'sessions', 'users', 'costs', 'performance', 'errors'];

/** An OpenAPI document. */
export type OpenApi = { readonly openapi: string; readonly [field: string]: unknown };

/** Builds the OpenAPI 3.1 document of the routes, from the schemas that validate them. `now` is for the examples. */
export function toOpenApi(
  routes: readonly Route[],
  { version, now }: { version: string; now: number },
): OpenApi {
  const schemas = createSchemas();
  const error = schemas.convert(errorReply, 'output');
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: toOperation(route, { schemas, error, now: new Date(now) }),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Spanledger', version, description: conventions },
    tags: [...new Set([...FIRST, ...routes.map(tagOf)])].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of a login session.' },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'slt_…',
          description:
            'An access token for machines: `Authorization: Bearer slt_…`. Each operation lists the scopes that admit to it; one is enough. Operations without a scope refuse access tokens.',
        },
      },
    },
  };
}

const errorReply = z
  .object({
    error: z.string().describe('What is wrong and, if possible, how to fix it.'),
    hint: z
      .string()
      .optional()
      .describe('With 401: which credential the route takes, where none or another kind was sent.'),
    code: z
      .enum(['second_factor_required', 'second_factor_missing', 'sign_in_again'])
      .optional()
      .describe('Set for refusals that the person can mend: the second step of a sign-in, for example.'),
  })
  .meta({ id: 'Error' });

type Shapes = { readonly schemas: Schemas; readonly error: object; readonly now: Date };

function toOperation(route: Route, { schemas, error, now }: Shapes): object {
  const failures = Object.entries(failuresOf(route)).map(([status, description]) => [
    status,
    { description, content: json(error) },
  ]);
  const success = route.reply && { content: json(schemas.convert(route.reply, 'output')) };
  const content = bodyContent(route, schemas, now);
  return {
    tags: [tagOf(route)],
    summary: route.summary,
    ...describe(route),
    security: securityOf(route),
    parameters: [...parameters(schemas, 'path', route.params), ...parameters(schemas, 'query', route.query)],
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      [route.status ?? 200]: { description: 'Success', ...success },
      ...Object.fromEntries(failures),
    },
  };
}

const RECENT =
  'Needs a sign-in within the last 10 minutes, or a proof at `POST /v1/auth/reauthenticate`; otherwise 403 with `code: "sign_in_again"`.';

const IGNORES = 'Ignores parameters that it does not know, and names them in `X-Ignored-Parameters`.';

function describe({ description, recent, ignoresUnknown }: Route): { description?: string } {
  const text = [description, recent && RECENT, ignoresUnknown && IGNORES].filter(
    (part) => part !== undefined,
  );
  return text.length === 0 ? {} : { description: text.join(' ') };
}

/** Request body by media type; undefined for a route without a body. */
function bodyContent({ body, rawBody, example }: Route, schemas: Schemas, now: Date): object | undefined {
  if (body !== undefined)
    return json(schemas.convert(body, 'input'), typeof example === 'function' ? example(now) : example);
  if (rawBody === undefined) return undefined;
  const media = Object.entries(rawBody).map(([type, { schema, example }]) => [
    type,
    { schema: schema ? schemas.convert(schema, 'input') : {}, ...(example !== undefined && { example }) },
  ]);
  return Object.fromEntries(media);
}

function parameters(schemas: Schemas, place: 'path' | 'query', schema?: z.ZodType): object[] {
  if (schema === undefined) return [];
  const given = flat(schemas.convert(schema, 'input') as ObjectSchema);
  return Object.entries(given.properties).map(([name, { description, example, ...shape }]) => ({
    name,
    in: place,
    required: given.required.includes(name),
    ...(description !== undefined && { description }),
    schema: shape,
    ...(example !== undefined && { example }),
  }));
}

type ObjectSchema = {
  properties?: Record<string, { description?: string; example?: unknown }>;
  required?: string[];
  allOf?: ObjectSchema[];
};

/** Merges an intersection of objects into one object. */
function flat({
  properties = {},
  required = [],
  allOf = [],
}: ObjectSchema): Required<Omit<ObjectSchema, 'allOf'>> {
  const parts = allOf.map(flat);
  return {
    properties: Object.assign({}, properties, ...parts.map((part) => part.properties)),
    required: [...required, ...parts.flatMap((part) => part.required)],
  };
}

function json(schema: object, example?: unknown): object {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

/** The noun of the path, which groups the operations. */
const tagOf = ({ path }: Route): string => /^\/v1\/([a-z-]+)/.exec(path)?.[1] ?? 'health';
