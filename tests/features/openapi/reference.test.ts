import { afterAll, describe, expect, test } from 'bun:test';
import { modules } from '../../../src/features.ts';
import { openTestApp } from '../../helpers/app.ts';

type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};
type Media = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
type Operation = {
  readonly parameters: readonly { readonly name: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Media };
  readonly responses: Readonly<Record<string, { readonly content?: Media }>>;
};

const app = await openTestApp();
afterAll(() => app.close());
const text = await (await app.fetch('/v1/openapi.json')).text();
const document = JSON.parse(text) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    at: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

/** Properties of a schema and all below it that nothing describes, with their place. */
function undescribed(schema: Schema | undefined, at: string): string[] {
  if (schema === undefined) return [];
  const { properties = {}, items, additionalProperties: rest, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(property.description === undefined && property.$ref === undefined ? [`${at}.${name}`] : []),
      ...undescribed(property, `${at}.${name}`),
    ]),
    ...undescribed(items, `${at}[]`),
    ...(typeof rest === 'object' ? undescribed(rest, `${at}.*`) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => undescribed(one, at)),
  ];
}

test('every parameter and every property of a body or reply has a description', () => {
  const missing = operations.flatMap(({ at, operation }) => [
    ...operation.parameters.flatMap(({ name, description }) => (description ? [] : [`${at} ?${name}`])),
    ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => undescribed(schema, at)),
    ...Object.values(operation.responses).flatMap(({ content = {} }) =>
      Object.values(content).flatMap(({ schema }) => undescribed(schema, at)),
    ),
  ]);
  const shared = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    undescribed(schema, name),
  );
  expect([...missing, ...shared], "Add `.describe('…')` to these fields in contract.ts").toEqual([]);
});

test('every parameter of a path, and the project or organization of a request, is a parameter', () => {
  const routes = modules.flatMap((module) => module.routes ?? []).filter(({ hidden }) => hidden !== true);
  const missing = routes.flatMap(({ method, path, auth }) => {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
    const inPath = path.startsWith(`/v1/${auth}s/:id`);
    const wanted = ['project', 'organization'].includes(auth) && !inPath ? [...named, `${auth}Id`] : named;
    const at = path.replace(/:(\w+)/g, '{$1}');
    const { parameters = [] } = document.paths[at]?.[method.toLowerCase()] ?? {};
    return wanted
      .filter((name) => !parameters.some((one) => one.name === name))
      .map((name) => `${at} ${name}`);
  });
  expect(missing).toEqual([]);
});

test('schemas have names of their own, references lead to one, and no bound is that of a number type', () => {
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => name.startsWith('__'))).toEqual([]);
  expect(names).toContain('Event');
  const referred = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, to]) => to ?? '');
  expect(referred.filter((to) => !names.includes(to.replace('#/components/schemas/', '')))).toEqual([]);
  expect(text).not.toContain('9007199254740991');
});

describe('the example of', () => {
  const contentOf = (path: string): Media => document.paths[path]?.post?.requestBody?.content ?? {};
  test('POST /v1/ingest is stored', async () => {
    const { example, schema } = contentOf('/v1/ingest')['application/x-ndjson'] ?? {};
    expect(schema).toEqual({ $ref: '#/components/schemas/EventInput' });
    const reply = await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events: [example] });
    expect([reply.status, await reply.json()]).toMatchObject([202, { accepted: 1, rejected: [] }]);
  });

  test.each(['/v1/otel', '/v1/otel/v1/traces', '/v1/traces'])('POST %s is stored', async (path) => {
    const content = contentOf(path);
    expect(Object.keys(content)).toEqual(['application/json', 'application/x-protobuf']);
    const json = content['application/json']?.example;
    const reply = await app.fetch(path, { apiKey: app.seed.apiKey, json });
    expect([reply.status, await reply.json()]).toEqual([202, {}]);
  });

  test('POST /v1/reconcile is read', async () => {
    const body = String(contentOf('/v1/reconcile')['text/csv']?.example);
    const path = `/v1/reconcile?projectId=${app.seed.projectId}`;
    const reply = await app.fetch(path, { method: 'POST', bearer: app.seed.bearer, body });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ ignored: [] });
  });
});
