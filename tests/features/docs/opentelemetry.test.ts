import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { EventPage } from '../../../src/core/events/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
let server: ReturnType<typeof Bun.serve>;
let page: string;
const replies: string[] = [];
beforeAll(async () => {
  world = await openTestApp({ now: Date.now() });
  page = await (await world.fetch('/docs/opentelemetry')).text();
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const sent = request.headers.get('content-type');
      const reply = await world.app.fetch(request, { address: '127.0.0.1' });
      replies.push(
        `${sent} ${reply.status} ${reply.headers.get('content-type')} ${await reply.clone().text()}`,
      );
      return reply;
    },
  });
});
afterAll(async () => {
  await server.stop(true);
  await world.close();
});

/** The code of a language on the page. */
const codeIn = (language: string): string => {
  const [, code = ''] = new RegExp(`<code class="language-${language}">(.*?)</code>`, 's').exec(page) ?? [];
  return code
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
};

const read = async <T>(path: string): Promise<T> =>
  (await (await world.fetch(path, { bearer: world.seed.bearer })).json()) as T;

test('the example in TypeScript is counted as it says, and its exporter has nothing to complain about', async () => {
  const exports = Bun.spawn(['bun', '-e', codeIn('ts')], {
    env: {
      PATH: process.env.PATH,
      OTEL_EXPORTER_OTLP_ENDPOINT: server.url.origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${world.seed.apiKey}`,
      OTEL_LOG_LEVEL: 'warn',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
    },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const said = (await exports.stdout.text()) + (await exports.stderr.text());
  expect([await exports.exited, said, replies.splice(0)]).toEqual([
    0,
    '',
    ['application/x-protobuf 202 application/x-protobuf '],
  ]);
  const project = `projectId=${world.seed.projectId}`;
  const { events } = await read<EventPage>(`/v1/events?${project}&limit=1`);
  expect(events[0]).toMatchObject({
    model: 'o3',
    user_id: 'user_42',
    session_id: 'chat_7',
    finish_reason: 'stop',
  });
  const { lines } = await read<{ lines: { bucket: string; tokens: number }[] }>(
    `/v1/events/${events[0]?.event_id}/cost?${project}`,
  );
  expect(lines.map(({ tokens }) => tokens)).toEqual([400, 800, 150, 200]);
});

test('the example in Python sends the attributes of the one in TypeScript', () => {
  const attributes = (code: string): string[][] =>
    [...code.matchAll(/["']([a-z_]+(?:\.[a-z_]+)+)["']: (.*),$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('"', "'"),
    ]);
  const sent = attributes(codeIn('ts'));
  expect(sent.length).toBeGreaterThan(8);
  expect(attributes(codeIn('python'))).toEqual(sent);
});
