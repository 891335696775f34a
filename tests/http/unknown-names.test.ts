import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function refusal(path: string, json?: object): Promise<[number, string | undefined]> {
  const { bearer } = app.seed;
  const response = await app.fetch(path, { bearer, ...(json && { json }) });
  return [response.status, ((await response.json()) as { error?: string }).error];
}

test('a misspelled limit of a key or token is refused, and makes none without the limit', async () => {
  const { organizationId, projectId } = app.seed;
  const keys = `/v1/projects/${projectId}/keys`;
  const tokens = `/v1/access-tokens?organizationId=${organizationId}`;
  const countOf = async (path: string, list: 'keys' | 'accessTokens'): Promise<number | undefined> => {
    const reply = await app.fetch(path, { bearer: app.seed.bearer });
    return ((await reply.json()) as Record<string, unknown[]>)[list]?.length;
  };
  const before = [await countOf(keys, 'keys'), await countOf(tokens, 'accessTokens')];
  expect(await refusal(keys, { name: 'ci', expires: '2030-01-01T00:00:00Z' })).toEqual([
    400,
    'There is no field expires here; did you mean expiresAt?',
  ]);
  expect(await refusal(tokens, { name: 'ci', scopes: ['read'], project: projectId })).toEqual([
    400,
    'There is no field project here; did you mean projectId?',
  ]);
  expect([await countOf(keys, 'keys'), await countOf(tokens, 'accessTokens')]).toEqual(before);
});

test('figures of this month are not the answer to another month', async () => {
  const { organizationId } = app.seed;
  expect(await refusal(`/v1/organizations/${organizationId}/usage?month=2026-05`)).toEqual([
    400,
    'There is no parameter month here; leave it out',
  ]);
});

test('an export has no pages', async () => {
  const [status, error] = await refusal(`/v1/events/export?projectId=${app.seed.projectId}&limit=2`);
  expect([status, error?.split(';')[0]]).toEqual([400, 'There is no parameter limit here']);
});

test.each(['/v1/access-tokens?organizationId=ORG', '/v1/deliveries?organizationId=ORG'])(
  'a cursor that %s did not return is refused',
  async (path) => {
    const of = path.replace('ORG', app.seed.organizationId);
    expect(await refusal(`${of}&cursor=bad`)).toEqual([400, 'cursor was not returned by this endpoint']);
  },
);

test('a cursor that the lists of a prompt did not return is refused', async () => {
  const { projectId } = app.seed;
  await refusal(`/v1/prompts?projectId=${projectId}`, { name: 'greet', template: 'Hi' });
  for (const list of ['versions', 'history'])
    expect(await refusal(`/v1/prompts/greet/${list}?projectId=${projectId}&cursor=bad`)).toEqual([
      400,
      'cursor was not returned by this endpoint',
    ]);
});
