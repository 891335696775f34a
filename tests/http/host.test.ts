import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../helpers/app.ts';

let app: TestApp;
let server: Bun.Server<undefined>;
beforeAll(async () => {
  app = await openTestApp();
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => app.app.fetch(request, { address: '127.0.0.1' }),
  });
});
afterAll(async () => {
  await server.stop(true);
  await app.close();
});

/** Sends a request as it is written and gives status and body of the answer. */
async function send(lines: readonly string[], body = ''): Promise<{ status: number; body: string }> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port ?? 0,
    socket: {
      data: (_socket, bytes) => {
        text += bytes.toString();
      },
      close: () => resolve(text),
    },
  }).then((socket) => socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`));
  const [head = '', rest = ''] = (await promise).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: rest };
}

test.each(['[', 'a b', 'a:99999999', 'x/healthz?', ''])('the Host %j is refused', async (host) => {
  const reply = await send(['GET /healthz HTTP/1.1', `Host: ${host}`]);
  expect(reply).toEqual({ status: 400, body: '{"error":"The Host header is not valid"}' });
});

test('HTTP/1.0 without a Host, as load balancers send it, is answered', async () => {
  expect(await send(['GET /healthz HTTP/1.0'])).toEqual({ status: 200, body: '{"status":"ok"}' });
  expect((await send(['GET /nothing?a=b HTTP/1.0'])).status).toBe(404);
  expect((await send(['GET //[ HTTP/1.0'])).status).toBe(404);
  const event = JSON.stringify({ provider: 'openai', model: 'gpt-4o' });
  const head = [`x-api-key: ${app.seed.apiKey}`, `Content-Length: ${event.length}`];
  const ingest = await send(['POST /v1/ingest HTTP/1.0', ...head], event);
  expect([ingest.status, JSON.parse(ingest.body)]).toMatchObject([202, { accepted: 1 }]);
});
