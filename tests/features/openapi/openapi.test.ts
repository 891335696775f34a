import { afterEach, beforeEach, expect, test } from 'bun:test';
import { modules } from '../../../src/features.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(() => app.close());

type Document = {
  tags: { name: string }[];
  paths: Record<string, Record<string, { parameters: { name: string; required: boolean }[] }>>;
};
const read = async () => (await (await app.fetch('/v1/openapi.json')).json()) as Document;

test('the document names every route of every module, but not the page and files of the dashboard', async () => {
  const { paths } = await read();
  const named = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = modules.flatMap((module) => module.routes ?? []).filter((route) => route.hidden !== true);
  expect(named.sort()).toEqual(
    routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
  );
});

test('routes are grouped by the noun of their path; those that take and show events come first', async () => {
  const { tags, paths } = await read();
  const names = tags.map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['ingest', 'otel', 'events']);
  const nouns = Object.keys(paths).map((path) => /^\/v1\/([a-z-]+)/.exec(path)?.[1] ?? 'health');
  expect(names.toSorted()).toEqual([...new Set(nouns.map(String))].toSorted());
});

test('a route of a project requires projectId', async () => {
  const { paths } = await read();
  expect(paths['/v1/events']?.get?.parameters).toContainEqual(
    expect.objectContaining({ name: 'projectId', required: true }),
  );
});

test('health and readiness need no credential', async () => {
  expect((await app.fetch('/healthz')).status).toBe(200);
  expect((await app.fetch('/readyz')).status).toBe(200);
});

test('what is not there is a JSON error', async () => {
  const missing = await app.fetch('/v1/nothing');
  expect([missing.status, await missing.json()]).toEqual([404, { error: 'There is no /v1/nothing here' }]);
  const wrong = await app.fetch('/v1/ingest');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
  expect(await wrong.json()).toEqual({ error: 'GET is not allowed here' });
});
