import { afterAll, beforeAll, expect, test } from 'bun:test';
import { z } from 'zod';
import { listTokensEndpoint } from '../../src/core/access-tokens/contract.ts';
import { oauthBody } from '../../src/core/auth/contract.ts';
import { budgetInputSchema } from '../../src/core/budgets/contract.ts';
import { deploymentInput } from '../../src/core/deployments/contract.ts';
import { checkSchema } from '../../src/core/guardrails/input/contract.ts';
import { createKeyEndpoint } from '../../src/core/keys/contract.ts';
import { displayName } from '../../src/core/orgs/contract.ts';
import { rootCauseMeasure } from '../../src/core/root-cause/contract.ts';
import { viewBodySchema } from '../../src/core/views/contract.ts';
import { entryBodySchema } from '../../src/features/agents/contract.ts';
import { alertFields } from '../../src/features/alerts/rule/contract.ts';
import { dashboardBody } from '../../src/features/dashboards/contract.ts';
import { incidentInput } from '../../src/features/incidents/contract.ts';
import { catalogueListQuery } from '../../src/features/prices/catalogue/contract.ts';
import { nameSchema } from '../../src/features/reconcile/kept/contract.ts';
import { problemOf } from '../../src/http/problem-of.ts';
import { parseInput } from '../../src/http/validate.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';

const BAD = 'a\0b';

test.each<[unknown, string]>([
  [BAD, 'the body'],
  [{ name: BAD }, 'name'],
  [{ tiles: [{ title: 'a' }, { title: BAD }] }, 'tiles.1.title'],
  [{ tags: { [BAD]: 1 } }, 'tags'],
  [{ tags: ['a', BAD] }, 'tags.1'],
])('a text with NUL is refused with its place: %#', (value, place) => {
  expect(() => parseInput(z.unknown(), value)).toThrow(`${place} must not contain NUL`);
});

test('values that are nested deeply, and other kinds of values, are not in the way', () => {
  let deep: unknown = 'a';
  for (let i = 0; i < 100_000; i++) deep = [deep];
  for (const value of [deep, null, undefined, 3, new Date(0), new Uint8Array(3), { a: undefined }])
    expect(parseInput(z.unknown(), value)).toBe(value);
});

test.each<[string, z.ZodType]>([
  ['of organizations, projects, keys, tokens, alerts, channels and people', displayName],
  ['of views', viewBodySchema.shape.name],
  ['of dashboards', dashboardBody.shape.name],
  ['of releases', deploymentInput.shape.release],
  ['of incidents', incidentInput.shape.title],
  ['of budgets', budgetInputSchema.shape.name],
  ['of kept comparisons', nameSchema],
])('names %s are a line without control characters', (_, name) => {
  const texts = ['a', ' a ', '日本語 🧑‍💻', BAD, 'a\nb', 'a\u001b[31mb', 'a\u007f', 'a\u0085b', '\0', ' '];
  expect(texts.filter((text) => name.safeParse(text).success)).toEqual(texts.slice(0, 3));
});

test.each<[z.ZodType, unknown, string]>([
  [rootCauseMeasure, 'foo', 'must be one of cost, requests, errors, '],
  [rootCauseMeasure, 'foo', 'tokensPerSec, score:NAME, scoreCount:NAME'],
  [alertFields.groupBy, 'foo', 'must be one of model, '],
  [alertFields.groupBy, 'foo', 'tag:NAME'],
  [createKeyEndpoint.body.shape.expiresAt, '2030-01-01', 'must be a time in ISO 8601, such as '],
  [z.iso.date(), '2030', 'must be a date, such as 2030-01-31'],
  [
    z.union([z.string(), z.object({ a: z.int() })]),
    { a: 0.5 },
    'must be a text, or a: must be a whole number',
  ],
  [oauthBody.shape.next, 'https://a', 'must be a path of this server, such as /projects'],
  [catalogueListQuery.shape.cursor, 'x', 'was not returned by this endpoint'],
  [catalogueListQuery, { organizationId: 'o', limit: '1e99' }, 'limit: must be at most 200'],
  [listTokensEndpoint.query, { organizationId: 'o', limit: '0' }, 'limit: must be at least 1'],
  [listTokensEndpoint.query, { organizationId: 'o', limit: 'ten' }, 'limit: must be a number'],
  [
    createKeyEndpoint.body,
    { name: 'a', expires: '' },
    'There is no field expires here; did you mean expiresAt?',
  ],
  [
    z.object({ a: z.array(z.strictObject({ b: z.int().optional() })).optional() }),
    { a: [{ colour: 1 }] },
    'There is no field colour in a.0; known are b',
  ],
  [alertFields.measure, undefined, 'the body is required'],
  [entryBodySchema, { owner: 1 }, 'owner: must be a text'],
  [z.guid(), 'x', 'must be a UUID, such as '],
  [z.record(z.string(), z.string()), 1, 'must be an object'],
  [checkSchema, { kind: 'x' }, 'kind: must be one of pii, secrets, '],
])('a refusal says what is accepted: %#', (schema, value, words) => {
  expect(() => parseInput(schema, value)).toThrow(words);
});

test('an unknown field of a file is named', () => {
  const [issue] = z.strictObject({ a: z.int() }).safeParse({ a: 1, b: 2 }).error?.issues ?? [];
  expect(issue && problemOf(issue)).toBe('there is no field b');
});

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('requests with NUL in path, query and body are refused', async () => {
  const { bearer, organizationId, projectId } = app.seed;
  const ask = async (path: string, json?: object) => {
    const response = await app.fetch(path, { bearer, ...(json && { json }) });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  const nul = encodeURIComponent(BAD);
  expect(await ask('/v1/organizations', { name: BAD })).toEqual([
    400,
    'name: must not contain control characters',
  ]);
  expect(
    await ask(`/v1/prices?organizationId=${organizationId}`, {
      model: BAD,
      rates: { input: 1, output: 1 },
    }),
  ).toEqual([400, 'model must not contain NUL']);
  expect(await ask(`/v1/search?projectId=${projectId}&q=${nul}`)).toEqual([400, 'q must not contain NUL']);
  expect(await ask(`/v1/sessions/${nul}?projectId=${projectId}`)).toEqual([
    400,
    'sessionId must not contain NUL',
  ]);
});
