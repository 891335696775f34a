import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredEvent } from '../../../src/core/events/contract.ts';
import { initLedger, type Ledger, type RunningServer, startServer } from '../../helpers/server.ts';
import { startMockProvider } from './clients/mock-provider.ts';
import { describeCall } from './replay.ts';

/** Real clients, each in its own process, with a provider on loopback and a real server. */
const CLIENTS = ['otel-contrib', 'anthropic-sdk', 'openinference', 'traceloop', 'vercel-ai'] as const;
type Client = (typeof CLIENTS)[number];

const GPT = 'openai/gpt-4o';
const CLAUDE = 'anthropic/claude-sonnet-4-5';
const CLAUDE_CALL = '2464/2048/256 77/0';
const EMBEDDING = 'openai/text-embedding-3-small success 18/0/0 0/0 -';
const failed = (model: string, ...codes: readonly string[]): string[] =>
  codes.map((code) => `${model} ${code} 0/0/0 0/0 -`);

/** The calls of each client as the provider reported them. Two may begin in one millisecond: their order says nothing. */
const CALLS: Readonly<Record<Client, readonly string[]>> = {
  'otel-contrib': [
    `${GPT} success 1200/0/0 48/0 stop`,
    `${GPT} success 1200/0/0 48/0 stop`,
    `${GPT} success 1200/0/0 48/0 tool_calls`,
    `${GPT} success 1200/0/0 48/0 stop`,
    EMBEDDING,
    ...failed(GPT, 'rate_limited:RateLimitError', 'timeout:APIConnectionTimeoutError'),
  ],
  'anthropic-sdk': [
    `${CLAUDE} success ${CLAUDE_CALL} end_turn`,
    `${CLAUDE} success ${CLAUDE_CALL} end_turn stream ttft`,
    `${CLAUDE} success ${CLAUDE_CALL} tool_use`,
    ...failed(CLAUDE, 'rate_limited:rate_limit_error', 'timeout:client_timeout_error'),
  ],
  openinference: [
    `${GPT}-2024-08-06 success 1200/1024/0 48/16 stop`,
    `${GPT} success 0/0/0 0/0 stop stream`,
    `${GPT}-2024-08-06 success 1200/1024/0 48/16 tool_calls`,
    `${GPT}-2024-08-06 success 1200/1024/0 48/16 stop`,
    'openai/text-embedding-3-small success 0/0/0 0/0 -',
    `${CLAUDE} success ${CLAUDE_CALL} end_turn`,
    `${CLAUDE} success ${CLAUDE_CALL} end_turn stream`,
    `${CLAUDE} success ${CLAUDE_CALL} tool_use`,
    ...failed(CLAUDE, 'rate_limited:RateLimitError', 'timeout:APIConnectionTimeoutError'),
  ],
  traceloop: [
    `${CLAUDE} success ${CLAUDE_CALL} stop`,
    `${CLAUDE} success ${CLAUDE_CALL} -`,
    `${CLAUDE} success ${CLAUDE_CALL} tool_call`,
    ...failed(CLAUDE, 'rate_limited:Error', 'timeout:Error'),
  ],
  'vercel-ai': [
    `${GPT} success 1200/1024/0 48/0 stop`,
    `${GPT} success 1200/1024/0 48/0 stop stream ttft`,
    `${GPT} success 1200/1024/0 48/0 tool-calls`,
    `${GPT} success 1200/1024/0 48/0 stop`,
    EMBEDDING,
    ...failed(GPT, 'rate_limited:AI_APICallError', 'timeout:TimeoutError'),
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'spanledger-clients-'));
const db = `file:${join(folder, 'ledger.db')}`;
const provider = startMockProvider();
let ledger: Ledger;
let server: RunningServer;
let events: StoredEvent[];

async function run(client: Client): Promise<void> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'clients', `${client}.ts`)], {
    env: {
      PATH: process.env.PATH ?? '',
      PROVIDER_URL: provider.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${ledger.apiKey}`,
      OTEL_SERVICE_NAME: client,
    },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const stderr = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${client}: ${stderr}`);
}

async function readEvents(): Promise<StoredEvent[]> {
  const credentials = { email: 'ada@example.com', password: 'correct horse battery' };
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const login = await fetch(`${server.url}/v1/auth/login`, { ...post, body: JSON.stringify(credentials) });
  const { token } = (await login.json()) as { token: string };
  const query = `projectId=${ledger.projectId}&kind=all&limit=200`;
  const headers = { authorization: `Bearer ${token}` };
  const page = await fetch(`${server.url}/v1/events?${query}`, { headers });
  return ((await page.json()) as { events: StoredEvent[] }).events;
}

beforeAll(async () => {
  ledger = await initLedger(db, 'ada@example.com', 'correct horse battery');
  server = await startServer(db);
  await Promise.all(CLIENTS.map(run));
  events = await readEvents();
}, 60_000);
afterAll(async () => {
  await Promise.all([server.end('SIGTERM'), provider.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

test.each(CLIENTS)('%s: calls, tokens and statuses match the provider', (client) => {
  const own = events.filter(({ metadata }) => metadata['service.name'] === client);
  const calls = own.filter(({ counted }) => counted).map(describeCall);
  expect(calls.toSorted()).toEqual([...CALLS[client]].toSorted());
});

test('a wrapper and the SDK below it are both stored, and counted once', () => {
  for (const client of ['openinference', 'traceloop']) {
    const inner = events.filter(
      ({ metadata, operation }) =>
        metadata['service.name'] === client && operation === 'anthropic.messages.create',
    );
    expect(inner.map(({ counted }) => counted)).toEqual([false, false, false, false, false]);
  }
});

test('user and session are recorded if the client sends them', () => {
  const calls = events.filter(
    ({ metadata, counted }) => counted && metadata['service.name'] === 'openinference',
  );
  for (const { user_id, session_id, tags } of calls) {
    expect({ user_id, session_id, tags }).toEqual({ user_id: 'u1', session_id: 's1', tags: { beta: true } });
  }
});

test('no text of a prompt or an answer is in the file or in a reply', async () => {
  const path = join(folder, 'ledger.db');
  const stored = (await Bun.file(path).text()) + (await Bun.file(`${path}-wal`).text());
  expect(stored).toContain('claude-sonnet-4-5');
  for (const text of [stored, JSON.stringify(events)]) expect(text.includes('SENTINEL')).toBe(false);
});
