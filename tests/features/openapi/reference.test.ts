import { afterAll, expect, test } from 'bun:test';
import { modules } from '../../../src/features.ts';
import { openTestApp } from '../../helpers/app.ts';
import { readReference, type Schema } from './reference-document.ts';

const app = await openTestApp();
afterAll(() => app.close());
const { text, paths, schemas, operations } = await readReference(app);

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
  const shared = Object.entries(schemas).flatMap(([name, schema]) => undescribed(schema, name));
  expect([...missing, ...shared], "Add `.describe('…')` to these fields in contract.ts").toEqual([]);
});

test('every parameter of a path, and the project or organization of a request, is a parameter', () => {
  const routes = modules.flatMap((module) => module.routes ?? []).filter(({ hidden }) => hidden !== true);
  const missing = routes.flatMap(({ method, path, auth }) => {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
    const inPath = path.startsWith(`/v1/${auth}s/:id`);
    const wanted = ['project', 'organization'].includes(auth) && !inPath ? [...named, `${auth}Id`] : named;
    const at = path.replace(/:(\w+)/g, '{$1}');
    const { parameters = [] } = paths[at]?.[method.toLowerCase()] ?? {};
    return wanted
      .filter((name) => !parameters.some((one) => one.name === name))
      .map((name) => `${at} ${name}`);
  });
  expect(missing).toEqual([]);
});

test('schemas have names of their own, references lead to one, and no bound is that of a number type', () => {
  const names = Object.keys(schemas);
  expect(names.filter((name) => name.startsWith('__'))).toEqual([]);
  expect(names).toContain('Event');
  const referred = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, to]) => to ?? '');
  expect(referred.filter((to) => !names.includes(to.replace('#/components/schemas/', '')))).toEqual([]);
  expect(text).not.toContain('9007199254740991');
});

const CAMEL = /^[a-z]+\d*[A-Z]/;

/** Objects of a schema and all below it, with their place and the names of their fields. */
function objectsOf(schema: Schema | undefined, at: string): { at: string; names: string[] }[] {
  if (schema === undefined) return [];
  const { properties = {}, items, additionalProperties: rest, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    { at, names: Object.keys(properties) },
    ...Object.entries(properties).flatMap(([name, property]) => objectsOf(property, `${at}.${name}`)),
    ...objectsOf(items, `${at}[]`),
    ...(typeof rest === 'object' ? objectsOf(rest, `${at}.*`) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => objectsOf(one, at)),
  ];
}

test('an object has one letter case, and parameters are in camel case, as the reference says', () => {
  const objects = [
    ...operations.flatMap(({ at, operation: { requestBody, responses } }) =>
      [
        ...Object.values(requestBody?.content ?? {}),
        ...Object.values(responses).flatMap(({ content = {} }) => Object.values(content)),
      ].flatMap(({ schema }) => objectsOf(schema, at)),
    ),
    ...Object.entries(schemas).flatMap(([name, schema]) => objectsOf(schema, name)),
  ];
  const mixed = objects.filter(
    ({ names }) => names.some((name) => CAMEL.test(name)) && names.some((name) => name.includes('_')),
  );
  expect(mixed).toEqual([]);
  const parameters = operations.flatMap(({ at, operation }) =>
    operation.parameters.map(({ name }) => `${at} ${name}`),
  );
  // What OpenID Connect names.
  expect(parameters.filter((one) => one.includes('_') && !one.includes('/callback/'))).toEqual([]);
  expect(text).toContain('Each object has one letter case');
});
