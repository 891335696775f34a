import { afterAll, beforeAll, expect, test } from 'bun:test';
import { hostname } from 'node:os';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let world: TestApp;
beforeAll(async () => {
  world = await openTestApp();
});
afterAll(() => world.close());

/** The samples of a text in the format of Prometheus, by name and labels. Throws for a line that is none. */
function parse(text: string): { samples: Map<string, number>; types: Map<string, string> } {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.slice(0, -1).split('\n')) {
    const [, name, type] = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) types.set(name, type);
    if (line.startsWith('#')) continue;
    const [, key, value] =
      /^([a-z_]+(?:\{[a-z]+="(?:[^"\\\n]|\\.)*"(?:,[a-z]+="(?:[^"\\\n]|\\.)*")*\})?) (\S+)$/.exec(line) ?? [];
    if (key === undefined || samples.has(key)) throw new Error(`no sample, or a second one: ${line}`);
    samples.set(key, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value));
  }
  return { samples, types };
}

const read = async (): Promise<ReturnType<typeof parse>> =>
  parse(await (await world.fetch('/metrics')).text());

test('counts events, requests by route and writes, in a form that Prometheus reads', async () => {
  const events = [
    { event_id: '00000000-0000-4000-8000-000000000001', model: 'gpt-4o', provider: 'openai' },
    { event_id: '00000000-0000-4000-8000-000000000002', model: 'gpt-4o', provider: 'openai' },
  ];
  for (let i = 0; i < 2; i++)
    expect((await world.fetch('/v1/ingest', { apiKey: world.seed.apiKey, events })).status).toBe(202);
  await world.fetch('/no/such/page');
  const { samples, types } = await read();
  expect(samples.get('spanledger_ingest_events_total')).toBe(4);
  expect(samples.get('spanledger_ingest_duplicates_total')).toBe(2);
  expect(samples.get('spanledger_ingest_batches_total')).toBe(2);
  const ofIngest = 'spanledger_http_requests_total{method="POST",route="/v1/ingest",status="202"}';
  expect(samples.get(ofIngest)).toBe(2);
  expect(samples.get('spanledger_http_requests_total{method="GET",route="none",status="404"}')).toBe(1);
  const bins = [...samples].filter(([key]) =>
    key.startsWith('spanledger_http_request_duration_seconds_bucket{route="/v1/ingest"'),
  );
  expect(bins.at(-1)).toEqual([
    'spanledger_http_request_duration_seconds_bucket{route="/v1/ingest",le="+Inf"}',
    2,
  ]);
  expect(bins.map(([, value]) => value)).toEqual(bins.map(([, value]) => value).toSorted((a, b) => a - b));
  expect(samples.get('spanledger_write_duration_seconds_count')).toBeGreaterThan(2);
  expect(samples.get('spanledger_database_size_bytes')).toBeGreaterThan(100_000);
  for (const [name, type] of types) {
    expect([name, /_(total|seconds|bytes|info)$/.test(name) || type === 'gauge']).toEqual([name, true]);
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
  }
});

test('is for this machine only, or for whoever has the token', async () => {
  const status = async (init: Parameters<TestApp['fetch']>[1]): Promise<number> =>
    (await world.fetch('/metrics', init)).status;
  expect(await status({})).toBe(200);
  expect(await status({ address: '192.0.2.1' })).toBe(403);
  expect(await status({ address: null })).toBe(403);
  expect(await status({ headers: { 'X-Forwarded-For': '127.0.0.1' } })).toBe(403);
  // A page on a name that leads to this machine would read what its browser may.
  for (const [host, expected] of [
    ['ledger.example.com:4318', 403],
    ['127.0.0.1.example.com', 403],
    ['127.0.0.1:4318', 200],
    ['[::1]:4318', 200],
    ['localhost', 200],
    [hostname(), 200],
  ] as const) {
    const reply = await world.app.fetch(new Request(`http://${host}/metrics`), { address: '127.0.0.1' });
    expect([host, reply.status]).toEqual([host, expected]);
  }
  const token = 'a token of sixteen characters'.replaceAll(' ', '-');
  await world.reopen({ METRICS_TOKEN: token });
  expect(await status({})).toBe(401);
  expect(await status({ bearer: `${token}x` })).toBe(401);
  expect(await status({ bearer: world.seed.bearer })).toBe(401);
  expect(await status({ bearer: token, address: '192.0.2.1' })).toBe(200);
  await world.reopen();
});

test('the dashboard for Grafana and the documentation name only metrics that exist', async () => {
  const serving = await openTestApp({ mode: 'serve' });
  try {
    const dashboard = await (await serving.fetch('/docs/grafana-dashboard.json')).text();
    const { samples } = parse(await (await serving.fetch('/metrics')).text());
    const names = new Set([...samples.keys()].map((key) => key.replace(/\{.*/, '')));
    // A job is counted when it has run.
    const later = ['spanledger_job_last_run_failed'];
    const page = await (await serving.fetch('/docs/operating')).text();
    const used = new Set(`${dashboard} ${page}`.match(/\b(spanledger|process)_[a-z_]+\b/g));
    expect(used.size).toBeGreaterThan(15);
    // The scrape itself is the first request that is counted, after its reply.
    const ofRequests = [...used].filter((name) => name.startsWith('spanledger_http_'));
    for (const name of used)
      if (!ofRequests.includes(name) && !later.includes(name)) expect([...names]).toContain(name);
    const second = parse(await (await serving.fetch('/metrics')).text());
    for (const name of ofRequests)
      expect([...second.samples.keys()].some((key) => key.startsWith(`${name}{`))).toBe(true);
  } finally {
    await serving.close();
  }
});
