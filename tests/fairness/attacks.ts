import { connect } from 'node:net';
import { invoiceOf, largeBatch, largeDump, largeTrace, smallBomb } from './bodies.ts';
import type { World } from './world.ts';

/** Counts what the attack was answered, such as `202` or `closed`. */
type Count = (outcome: string | number) => void;
type Attack = (world: World, count: Count) => Promise<unknown>;

const pick = (list: readonly string[], i: number): string => list[i % list.length] ?? '';

/** Sends requests without end, `width` at a time. */
function flood(
  width: number,
  count: Count,
  request: (i: number) => [url: string, init?: RequestInit],
): Promise<unknown> {
  let next = 0;
  const lane = async (): Promise<never> => {
    for (;;) {
      const [url, init] = request(next++);
      try {
        const response = await fetch(url, init);
        await response.arrayBuffer();
        count(response.status);
      } catch {
        count('closed');
      }
    }
  };
  return Promise.all(Array.from({ length: width }, lane));
}

const json = { 'Content-Type': 'application/json' };
const gzipped = { ...json, 'Content-Encoding': 'gzip' };
const post = (headers: Record<string, string>, body: RequestInit['body'] & {}): RequestInit => ({
  method: 'POST',
  headers,
  body,
});

/** Opens sockets that announce 32 MB, send `bytesPerSecond` and are opened again when they are cut. */
function stall(world: World, count: Count, sockets: number, bytesPerSecond: number): Promise<never> {
  const { hostname, port } = new URL(world.url);
  const head = (i: number): string =>
    `POST /v1/ingest HTTP/1.1\r\nHost: x\r\nx-api-key: ${pick(world.attacker.apiKeys, i)}\r\nContent-Length: 9000000\r\n\r\n`;
  const open = (i: number): void => {
    const opened = performance.now();
    const socket = connect(Number(port), hostname);
    const drip = setInterval(() => socket.write('x'.repeat(bytesPerSecond)), 1_000);
    if (bytesPerSecond === 0) clearInterval(drip);
    socket.on('error', () => undefined);
    socket.on('data', (data) => count(data.toString().slice(9, 12)));
    socket.on('close', () => {
      clearInterval(drip);
      count(`cut after ${Math.ceil((performance.now() - opened) / 5_000) * 5} s`);
      setTimeout(() => open(i), 100);
    });
    socket.write(head(i));
  };
  for (let i = 0; i < sockets; i++) open(i);
  return new Promise<never>(() => undefined);
}

const dashboard = ({ url, attacker }: World, path: string, i: number): [string, RequestInit] => {
  const joint = path.includes('?') ? '&' : '?';
  return [
    `${url}${path}${joint}projectId=${attacker.projectId}`,
    { headers: { Authorization: `Bearer ${pick(attacker.bearers, i)}` } },
  ];
};

/** A read whose question is in its body. */
const ask = (world: World, path: string, body: object, i: number): [string, RequestInit] => {
  const [url, { headers }] = dashboard(world, path, i);
  return [url, post({ ...json, ...(headers as Record<string, string>) }, JSON.stringify(body))];
};

/** What one tenant, or somebody without an account, can do to a server, by name. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  nothing: () => new Promise(() => undefined),
  'gzip without sign-in': (world, count) => {
    const body = smallBomb();
    return flood(16, count, () => [`${world.url}/v1/invitations/preview`, post(gzipped, body)]);
  },
  'openapi flood': (world, count) => flood(16, count, () => [`${world.url}/v1/openapi.json`]),
  'large batches': (world, count) => {
    const body = largeBatch();
    return flood(16, count, (i) => [
      `${world.url}/v1/ingest`,
      post({ 'x-api-key': pick(world.attacker.apiKeys, i), 'Content-Encoding': 'gzip' }, body),
    ]);
  },
  'large traces': (world, count) => {
    const body = largeTrace();
    return flood(8, count, (i) => [
      `${world.url}/v1/otel`,
      post({ ...gzipped, 'x-api-key': pick(world.attacker.apiKeys, i) }, body),
    ]);
  },
  'traces over the quota': (world, count) => {
    const body = largeTrace();
    const headers = { ...gzipped, 'x-api-key': world.attacker.exhaustedKey };
    return flood(8, count, () => [`${world.url}/v1/otel`, post(headers, body)]);
  },
  'idle bodies': (world, count) => stall(world, count, 20, 0),
  'slow bodies': (world, count) => stall(world, count, 2_000, 1),
  inspector: (world, count) => {
    const body = largeDump();
    return flood(16, count, (i) => {
      const [url, { headers }] = dashboard(world, '/v1/otel/inspect', i);
      return [url, post({ ...gzipped, ...(headers as Record<string, string>) }, body)];
    });
  },
  reconcile: (world, count) => {
    const body = invoiceOf(400_000);
    return flood(60, count, (i) => {
      const [url, { headers }] = dashboard(world, '/v1/reconcile', i);
      const type = { 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' };
      return [url, post({ ...type, ...(headers as Record<string, string>) }, body)];
    });
  },
  exports: (world, count) =>
    flood(60, count, (i) =>
      dashboard(world, `/v1/events/export?format=${pick(['csv', 'ndjson', 'parquet'], i)}`, i),
    ),
  'queued reads': (world, count) =>
    flood(1_000, count, (i) => dashboard(world, '/v1/errors?start=2026-01-01T00:00:00Z', i)),
  // Releases are in no sum, so every call of the window is read.
  'dashboard tiles': (world, count) => {
    const tile = { measures: ['latencyP95'], groupBy: ['release', 'model'], range: '30d', bucket: '1d' };
    const body = { queries: Array.from({ length: 24 }, () => tile) };
    return flood(60, count, (i) => ask(world, '/v1/metrics/queries', body, i));
  },
  'metric queries': (world, count) => {
    const of = { groupBy: ['release', 'userId'], range: '30d', bucket: '1h', limit: 14, compare: 'previous' };
    const body = { measures: ['cost', 'latencyP95', 'requests', 'errorRate'], ...of };
    return flood(60, count, (i) => ask(world, '/v1/metrics/query', body, i));
  },
  'alert previews': (world, count) => {
    const condition = { kind: 'anomaly', sensitivity: 'high' };
    const body = { name: 'All', measure: 'cost', window: '5m', groupBy: 'model', condition };
    return flood(60, count, (i) => ask(world, '/v1/alerts/preview', body, i));
  },
  'root causes': (world, count) =>
    flood(60, count, (i) => dashboard(world, '/v1/root-cause?measure=cost&start=2026-10-01T00:00:00Z', i)),
  searches: (world, count) => flood(60, count, (i) => dashboard(world, `/v1/search?q=user-${i % 400}`, i)),
  'login flood': (world, count) =>
    flood(50, count, (i) => [
      `${world.url}/v1/auth/login`,
      post(json, JSON.stringify({ email: `user${i}@example.com`, password: 'wrong password' })),
    ]),
  'bad keys': (world, count) =>
    flood(50, count, (i) => [
      `${world.url}/v1/ingest`,
      post({ 'x-api-key': `slk_${i.toString(16).padStart(64, '0')}` }, '{}'),
    ]),
};

// As a process of its own, so that preparing the attack does not slow down what measures it.
if (import.meta.main) {
  const [, , name = '', text = ''] = process.argv;
  const counts: Record<string, number> = {};
  process.on('SIGTERM', () => {
    console.log(JSON.stringify(counts));
    process.exit(0);
  });
  await ATTACKS[name]?.(JSON.parse(text) as World, (outcome) => {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  });
}
