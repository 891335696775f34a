import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { StoredEvent } from '../../src/core/events/contract.ts';
import { eventually } from '../helpers/eventually.ts';
import { openFolder } from '../helpers/folder.ts';
import { initLedger, type RunningServer, startServer } from '../helpers/server.ts';
import { nodeCommand, openProject, PROJECT_TIMEOUT, type Project } from './project.ts';
import { type Served, startCounting } from './served.ts';

/**
 * Seconds of each fault in the long form, SDK_OUTAGE_SECONDS=60, which also reaches the server's own rate limit,
 * because more than 1,000 batches have queued up. Otherwise a fault lasts for a hundred calls.
 */
const SECONDS = Number(process.env.SDK_OUTAGE_SECONDS ?? 1);
const LONG = SECONDS >= 60;
/** Longer than any wait of the client, which is 30 seconds. */
const PATIENCE_MS = 120_000;
const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';

/** A user's program: the real `openai` package with calls of every kind, one after the other. */
const PROGRAM = `import OpenAI from 'openai';
import { createClient, wrapOpenAI } from 'spanledger/sdk';
const ledger = createClient({ flushIntervalMs: 100, maxBatchSize: Number(process.env.BATCH), maxQueueEvents: 100_000 });
const openai = wrapOpenAI(new OpenAI({ maxRetries: 0 }), ledger, { includeUsage: true });
const ask = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Capital of France?' }] };
const kinds = [
  () => openai.chat.completions.create(ask),
  async () => { for await (const _ of await openai.chat.completions.create({ ...ask, stream: true })); },
  () => openai.chat.completions.stream({ ...ask, stream_options: { include_usage: true } }).finalContent(),
  () => openai.embeddings.create({ model: 'text-embedding-3-small', input: 'Paris' }),
];
let calls = 0;
let over = false;
process.stdin.on('data', () => { over = true; process.stdin.pause(); });
while (!over) {
  await ledger.trace('job', () => kinds[calls++ % kinds.length]()).catch((error) => {
    if (error.status !== 429) throw error;
  });
  await new Promise((done) => setTimeout(done, Number(process.env.PAUSE_MS)));
}
const stats = await ledger.shutdown({ timeoutMs: 400_000 });
console.log(JSON.stringify({ calls, stats }));
`;

/** A proxy in front of the server with a fixed address, which injects the faults of the test. */
const startGate = () => {
  let target = '';
  let answer: (() => Response) | null = null;
  let misses = 0;
  const turnedAway: number[] = [];
  const byServer: number[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (answer !== null) {
        const response = answer();
        turnedAway.push(response.status);
        return response;
      }
      const { pathname } = new URL(request.url);
      const body = request.method === 'POST' ? await request.arrayBuffer() : null;
      const reply = await fetch(target + pathname, {
        method: request.method,
        headers: request.headers,
        body,
      }).catch(() => null);
      // While the server is down, the proxy replies 502. Only the first leaves the wait to the client: its waits double,
      // and a server that takes long to start on a busy machine would be tried again half a minute after that.
      if (reply === null) return badGateway(misses++ === 0 ? {} : { 'retry-after': '1' });
      if (reply.status >= 400) byServer.push(reply.status);
      return reply;
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    turnedAway,
    byServer,
    to: (url: string) => {
      target = url;
    },
    say: (response: (() => Response) | null) => {
      answer = response;
    },
    stop: () => server.stop(true),
  };
};

const badGateway = (headers: Record<string, string>): Response =>
  new Response('bad gateway', { status: 502, headers });
const refuse = (status: number, retryAfter: string) => () =>
  Response.json({ error: 'later' }, { status, headers: { 'retry-after': retryAfter } });

const folder = openFolder();
let project: Project;
beforeAll(async () => {
  project = await openProject();
}, PROJECT_TIMEOUT);
/** Clean-up that also runs if a test fails. */
const ending: (() => unknown)[] = [];
afterAll(async () => {
  await Promise.all(ending.map((end) => end()));
  project.remove();
  folder.remove();
});

const readBooks = async ({ url }: RunningServer, projectId: string) => {
  const login = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  const { token } = (await login.json()) as { token: string };
  const get = async <T>(path: string): Promise<T> =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).json() as Promise<T>;
  const events: StoredEvent[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = `projectId=${projectId}&limit=200&cursor=${encodeURIComponent(cursor)}`;
    const page: { events: StoredEvent[]; nextCursor: string | null } = await get(`/v1/events?${query}`);
    events.push(...page.events);
    cursor = page.nextCursor;
  }
  const costs = await get<{ mtdTotal: number; byModel: { calls: number; total_cost: number }[] }>(
    `/v1/costs?projectId=${projectId}`,
  );
  return { events, costs };
};

const asText = (one: Omit<Served, 'cost'>): string =>
  [one.kind, one.status, one.stream, one.input_tokens, one.cached_input_tokens, one.output_tokens].join(' ');
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

test(
  'the ledger matches what the provider served, through a restart, 503s and a rate limit',
  async () => {
    const db = folder.path('ledger.db');
    const { apiKey, projectId } = await initLedger(db, EMAIL, PASSWORD);
    const provider = startCounting();
    const gate = startGate();
    let server = await startServer(db);
    ending.push(() => server.end('SIGKILL'), gate.stop, provider.stop);
    gate.to(server.url);
    await project.write('job.mjs', PROGRAM);
    const job = Bun.spawn([nodeCommand(), project.path('job.mjs')], {
      env: {
        PATH: process.env.PATH,
        SPANLEDGER_API_KEY: apiKey,
        SPANLEDGER_BASE_URL: gate.url,
        OPENAI_API_KEY: 'x',
        OPENAI_BASE_URL: provider.url,
        BATCH: LONG ? '5' : '20',
        PAUSE_MS: LONG ? '20' : '2',
      },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    ending.push(() => job.kill());
    const output = Promise.all([new Response(job.stdout).text(), new Response(job.stderr).text()]);
    /** Whether the program has made as many calls; throws what it printed if it has ended. */
    const hasMade = async (calls: number): Promise<boolean> => {
      if (job.exitCode !== null) throw new Error(`the program has ended: ${(await output).join('')}`);
      return provider.served.length >= calls;
    };
    /** Until the program has made some more calls; in the long form, for part of `SECONDS`. */
    const work = async (share: number): Promise<void> => {
      const calls = provider.served.length + 100 * share;
      if (LONG) await Bun.sleep(SECONDS * share * 1_000);
      await eventually(`${calls} calls`, () => hasMade(calls), PATIENCE_MS);
    };

    await work(1 / 2);
    await server.end('SIGKILL');
    await work(1 / 4);
    server = await startServer(db);
    gate.to(server.url);
    await work(1 / 2);
    for (const status of [503, 429]) {
      gate.say(refuse(status, '1'));
      await work(1);
      // The client may still wait before it tries again after the restart.
      await eventually(`a refusal with ${status}`, () => gate.turnedAway.includes(status), PATIENCE_MS);
    }
    gate.say(null);
    await work(1 / 2);
    job.stdin.write('over\n');
    await job.stdin.end();
    const [out, err] = await output;
    expect([
      await job.exited,
      err.replaceAll(/^spanledger: .*(cannot be reached|takes nothing).*\n/gm, ''),
    ]).toEqual([0, '']);

    const { calls, stats } = JSON.parse(out) as {
      calls: number;
      stats: { pending: number; dropped: number; accepted: number };
    };
    const { served } = provider;
    expect(calls).toBe(served.length);
    expect(stats).toMatchObject({ pending: 0, dropped: 0, rejected: 0, accepted: 2 * calls });
    expect(new Set(gate.turnedAway)).toEqual(new Set([429, 503]));
    expect(new Set(gate.byServer)).toEqual(new Set(LONG ? [429] : []));

    const { events, costs } = await readBooks(server, projectId);
    expect(events.map(asText).sort()).toEqual(served.map(asText).sort());
    expect(new Set(events.map((event) => event.event_id)).size).toBe(calls);
    const total = sum(served.map(({ cost }) => cost));
    expect(sum(events.map((event) => event.cost_usd ?? Number.NaN))).toBeCloseTo(total, 8);
    expect(costs.mtdTotal).toBeCloseTo(total, 8);
    expect(sum(costs.byModel.map((model) => model.calls))).toBe(calls);
  },
  // Four processes start on the way, each of which takes ten seconds on a busy machine.
  { timeout: 240_000 + SECONDS * 15_000 },
);
