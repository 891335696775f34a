import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chownSync, mkdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { operatorName } from '../src/operator.ts';
import { actThroughServer, commandSocket, type Server, serve } from '../src/serve.ts';
import { auditRows } from './core/audit/rows.ts';
import { openTestApp, type TestApp } from './helpers/app.ts';
import { openFolder } from './helpers/folder.ts';

const folder = openFolder();
afterAll(() => folder.remove());

/** A database path too long for a socket beside it. */
const deep = folder.path('d'.repeat(100));
mkdirSync(deep);
const database = `${deep}/ledger.db`;
writeFileSync(database, '');

test('the socket of a deep folder is placed where its path fits', () => {
  expect(commandSocket(folder.path('x.db'))).toBe(folder.path('x.db.sock'));
  expect(commandSocket(database).length).toBeLessThan(104);
});

test('nothing is sent to a socket of another user', async () => {
  const heard: string[] = [];
  const socket = commandSocket(database);
  const stranger = Bun.serve({
    unix: socket,
    fetch: (request) => {
      heard.push(request.url);
      return Response.json({ result: 'told me' });
    },
  });
  try {
    expect(await actThroughServer(database, { action: 'init', input: {} })).toEqual({ result: 'told me' });
    // Without the right to give files away nobody can play the stranger.
    if (process.getuid?.() === 0) chownSync(socket, 65534, 65534);
    else unlinkSync(database);
    expect(await actThroughServer(database, { action: 'init', input: {} })).toBeNull();
    expect(heard).toHaveLength(1);
  } finally {
    await stranger.stop(true);
  }
});

describe('the command socket', () => {
  let world: TestApp;
  let server: Server;
  const post = (path: string, init: RequestInit & { body: string }) =>
    fetch(`http://spanledger/${path}`, { method: 'POST', unix: commandSocket(world.ctx.db.path), ...init });
  beforeAll(async () => {
    world = await openTestApp();
    server = serve({ ...world.app, close: async () => {} }, { host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await server.stop();
    await world.close();
  });

  test('can only be used by its owner', () => {
    expect(statSync(commandSocket(world.ctx.db.path)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['orgs.create', '', 400, 'The body is not JSON'],
    ['orgs.create', '{"name":', 400, 'The body is not JSON'],
    ['orgs.create', '{}', 400, 'name is required'],
    ['orgs.create', '[]', 400, ''],
    ['%E0%A4%A', '{}', 404, 'This server knows no action %E0%A4%A'],
    ['../..%2fetc', '{}', 404, 'This server knows no action '],
    ['__proto__', '{}', 404, 'This server knows no action __proto__'],
    ['', '{}', 404, 'This server knows no action '],
  ])('answers %j with the body %j by %d', async (path, body, status, error) => {
    const response = await post(path, { body });
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: string }).error).toContain(error);
  });

  test('names the owner of the socket as the operator, whatever the request says', async () => {
    const headers = { 'X-Operator': 'somebody-else' };
    const response = await post('orgs.create', { headers, body: '{"name":"By socket"}' });
    const { result } = (await response.json()) as { result: { id: string } };
    const [entry] = await auditRows(world.ctx, result.id);
    expect(entry?.actor_id).toBe(`operator:${operatorName()}`);
  });
});
