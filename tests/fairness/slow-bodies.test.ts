import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { openTestApp, type Tenant, type TestApp } from '../helpers/app.ts';

let app: TestApp;
let server: Bun.Server<undefined>;
let other: Tenant;
beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  server = Bun.serve({ port: 0, fetch: (request) => app.app.fetch(request, { address: '127.0.0.1' }) });
});
afterAll(async () => {
  await server.stop(true);
  await app.close();
});

/** Opens a request that announces 9 MB and sends three bytes of it. */
function announce(apiKey: string): { socket: Socket; status: Promise<string> } {
  const { hostname, port } = server.url;
  const socket = connect(Number(port), hostname);
  const status = new Promise<string>((resolve) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.on('close', () => resolve(text.slice(9, 12)));
  });
  const head = `POST /v1/ingest HTTP/1.1\r\nHost: x\r\nx-api-key: ${apiKey}\r\nContent-Length: 9000000\r\n\r\nabc`;
  socket.write(head);
  return { socket, status };
}

test('bodies that are announced and not sent hold up nobody, and are cut', async () => {
  const idle = Array.from({ length: 200 }, () => announce(app.seed.apiKey));
  const event = JSON.stringify({ provider: 'openai', model: 'gpt-4o', input_tokens: 1 });
  // The places are taken when the first of the late ones is refused.
  expect(await Promise.race(idle.map(({ status }) => status))).toBe('503');
  const send = async ({ apiKey }: Tenant): Promise<number> => {
    const headers = { 'x-api-key': apiKey };
    const url = new URL('/v1/ingest', server.url);
    return (await fetch(url, { method: 'POST', headers, body: event })).status;
  };
  expect(await send(other)).toBe(202);
  const answers = await Promise.all(idle.map(({ status }) => status));
  expect(new Set(answers)).toEqual(new Set(['503', '408']));
  expect(await send(app.seed)).toBe(202);
}, 30_000);
