import { afterAll, beforeAll, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { type Ctx, createServices } from '../../src/context.ts';
import { createOpenApiModule } from '../../src/features/openapi/index.ts';
import { modules } from '../../src/features.ts';
import type { Route } from '../../src/http/route.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';

const routes = modules.flatMap(({ routes = [] }) => routes);
const withBody = routes.filter(({ body, rawBody }) => body !== undefined || rawBody !== undefined);
const open = routes.filter(({ auth, limit }) => auth === 'none' && limit !== 'off');
const METHODS = '/v1/auth/methods';
const name = ({ method, path }: Route): string => `${method} ${path}`;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A request whose body counts how often it is asked for bytes. */
async function sendUnread(
  { method, path }: Route,
  headers: Record<string, string>,
): Promise<{ status: number; error: string; pulls: number }> {
  let pulls = 0;
  const body = new ReadableStream({ pull: () => void pulls++ }, { highWaterMark: 0 });
  const response = await app.fetch(path.replace(/:\w+/g, 'x'), { method, headers, body });
  const { error } = (await response.json()) as { error: string };
  return { status: response.status, error, pulls };
}

test('every route refuses a body that is too long by its header, before it asks who is calling', async () => {
  const found = await Promise.all(
    withBody.map(async (route) => {
      const { status, pulls } = await sendUnread(route, { 'content-length': '40000000' });
      return [name(route), status, pulls];
    }),
  );
  expect(found).toEqual(withBody.map((route) => [name(route), 413, 0]));
});

test('every route with sign-in refuses a stranger before it reads a byte of the body', async () => {
  const guarded = withBody.filter(({ auth }) => auth !== 'none');
  const found = await Promise.all(
    guarded.map(async (route) => {
      const { status, pulls } = await sendUnread(route, { 'content-type': 'application/json' });
      return [name(route), status, pulls];
    }),
  );
  expect(found).toEqual(guarded.map((route) => [name(route), 401, 0]));
});

test('JSON routes without sign-in take at most 16 kB and no compression', async () => {
  const anonymous = withBody.filter(({ auth }) => auth === 'none');
  expect(anonymous.length).toBeGreaterThan(5);
  for (const { method, path } of anonymous) {
    const send = async (
      body: Uint8Array<ArrayBuffer>,
      headers: Record<string, string>,
    ): Promise<unknown[]> => {
      const response = await app.fetch(path, { method, body, headers });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    const bomb = new Uint8Array(gzipSync(JSON.stringify({ token: 'x'.repeat(900_000) })));
    expect(await send(bomb, { 'content-encoding': 'gzip' })).toEqual([
      415,
      'This route takes no compressed body; send it without Content-Encoding',
    ]);
    expect(await send(new Uint8Array(16_385), {})).toEqual([413, 'The body is over the limit of 16 kB']);
  }
});

test('an address may call routes without sign-in 1,200 times a minute, and /healthz always', async () => {
  const ask = (path: string, address: string): Promise<Response> => app.fetch(path, { address });
  for (let i = 0; i < 1_200; i++) await ask(METHODS, '192.0.2.1');
  for (const { method, path } of open) {
    const response = await app.fetch(path.replace(/:\w+/g, 'x'), { method, address: '192.0.2.1' });
    expect([path, response.status, response.headers.get('retry-after')]).toEqual([path, 429, '60']);
  }
  expect((await ask('/healthz', '192.0.2.1')).status).toBe(200);
  expect((await ask(METHODS, '192.0.2.2')).status).toBe(200);
});

test('the OpenAPI document is built once', async () => {
  let builds = 0;
  const { routes, services: listed = [] } = createOpenApiModule(() => {
    builds++;
    return modules;
  });
  const services = createServices(listed);
  const ctx: Ctx = { ...app.ctx, use: (service) => services.use(ctx, service) };
  const input = {
    query: undefined,
    params: {},
    body: undefined,
    request: new Request('http://x/'),
    address: null,
  };
  const documents = [1, 2, 3].map(() => routes?.[0]?.handler(ctx, input, null));
  expect(new Set(documents).size).toBe(1);
  expect(builds).toBe(1);
});
