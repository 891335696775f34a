import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { modules } from '../../src/features.ts';
import { openTestApp, type TestApp, type TestRequest } from '../helpers/app.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

/** The headers that every response must have, by name. */
const headersOf = (response: Response) => ({
  nosniff: response.headers.get('x-content-type-options'),
  referrer: response.headers.get('referrer-policy'),
});
const COMMON = { nosniff: 'nosniff', referrer: 'no-referrer' };

const routes = modules
  .flatMap((module) => module.routes ?? [])
  .map(({ method, path }): [string, string] => [method, path.replace('*', 'x').replaceAll(/:\w+/g, 'none')]);

test.each(routes)('%s %s without a credential or input has the headers', async (method, path) => {
  const response = await world.fetch(path, { method });
  expect(headersOf(response)).toEqual(COMMON);
  if (response.status >= 400) expect(response.headers.get('cache-control')).toBe('no-store');
  await response.body?.cancel();
});

const get = async (path: string, init: TestRequest = {}): Promise<Response> => {
  const response = await world.fetch(path, init);
  expect(headersOf(response), path).toEqual(COMMON);
  return response;
};

describe('replies', () => {
  test('of the API are not stored, whether they succeed or fail', async () => {
    const { projectId, bearer } = world.seed;
    for (const [path, status] of [
      [`/v1/costs?projectId=${projectId}`, 200],
      [`/v1/events/export?projectId=${projectId}&format=csv`, 200],
      [`/v1/costs?projectId=other`, 403],
      ['/v1/nothing', 404],
      ['/healthz', 200],
    ] as const) {
      const response = await get(path, { bearer });
      expect([path, response.status, response.headers.get('cache-control')]).toEqual([
        path,
        status,
        'no-store',
      ]);
    }
    expect((await get('/v1/auth/login')).status).toBe(405);
    const key = await get('/v1/sdk/config', { apiKey: world.seed.apiKey });
    expect(key.headers.get('cache-control')).toBe('private, no-cache');
  });

  test('of exports are downloads', async () => {
    const response = await get(`/v1/events/export?projectId=${world.seed.projectId}&format=csv`, {
      bearer: world.seed.bearer,
    });
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="/);
  });

  test('to a request whose Host is invalid have the headers', async () => {
    const request = Object.defineProperty(new Request('http://x/', { headers: { Host: '<>' } }), 'url', {
      value: '/',
    });
    const response = await world.app.fetch(request, { address: '127.0.0.1' });
    expect(response.status).toBe(400);
    expect(headersOf(response)).toEqual(COMMON);
  });
});

describe('Strict-Transport-Security', () => {
  const hsts = async (headers: Record<string, string> = {}, address = '127.0.0.1') =>
    (await world.fetch('/healthz', { headers, address })).headers.get('strict-transport-security');
  const forwarded = { 'X-Forwarded-Proto': 'https' };

  test('is sent only under https, which only PUBLIC_URL and a trusted proxy can say', async () => {
    expect(await hsts()).toBeNull();
    expect(await hsts(forwarded)).toBeNull();
    await world.reopen({ TRUSTED_PROXIES: '10.0.0.0/8' });
    expect(await hsts(forwarded)).toBeNull();
    expect(await hsts({ 'X-Forwarded-Proto': 'http' }, '10.0.0.1')).toBeNull();
    expect(await hsts(forwarded, '10.0.0.1')).toBe('max-age=31536000');
    await world.reopen({ PUBLIC_URL: 'https://ledger.example.com' });
    expect(await hsts()).toBe('max-age=31536000');
    await world.reopen({ PUBLIC_URL: 'http://ledger.example.com' });
    expect(await hsts()).toBeNull();
  });
});
