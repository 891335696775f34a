import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Libsql from 'libsql';
import { type Ledger, runCommand } from '../helpers/server.ts';
import { OWNER, openRemoteLedger, type RemoteLedger } from './ledger.ts';

let ledger: RemoteLedger;
let made: Ledger;

beforeAll(async () => {
  ledger = await openRemoteLedger();
  made = await ledger.init();
}, 120_000);
afterAll(() => ledger.close());

type Call = { token?: string; apiKey?: string; method?: string; json?: unknown };

async function call(url: string, { token, apiKey, method, json }: Call = {}) {
  const response = await fetch(url, {
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown>,
  };
}

async function signIn(url: string): Promise<string> {
  const { body } = await call(`${url}/v1/auth/login`, { json: OWNER });
  return String(body.token);
}

const ok = async (args: readonly string[]): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await ledger.command([...args, '--json']);
  expect(stderr.replace(/^› .*\n/gm, '')).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe('it is said what is wrong with', () => {
  const SECRET = { BETTER_AUTH_SECRET: '0123456789012345678901234567890123456789' };
  const EVENTS = { EVENTS_URL: 'clickhouse://nobody@127.0.0.1:9/none' };
  const AWAY = 'libsql://127.0.0.1:9?tls=0';
  test.each([
    ['a server that is away', ['keys', 'list'], 'does not answer'],
    ['a backup', ['backup', '/tmp/never.db'], 'This works on a database file'],
  ] as const)('%s', async (_, args, message) => {
    const env = { ...EVENTS, ...SECRET };
    const { code, stderr } = await runCommand([...args, '--db', AWAY], '', undefined, env);
    expect(stderr).toContain(message);
    expect(code).toBeGreaterThan(0);
  });

  test('a wrong token', async () => {
    const env = { ...EVENTS, ...SECRET, DATABASE_AUTH_TOKEN: 'another' };
    const { code, stderr } = await runCommand(
      ['keys', 'list', '--db', ledger.server.url],
      '',
      undefined,
      env,
    );
    expect(stderr).toContain('refuses DATABASE_AUTH_TOKEN');
    expect(code).toBeGreaterThan(0);
  });
});

test('the binary serves with its control plane on the server, and commands reach it', async () => {
  const server = await ledger.serve();
  const { url } = server;
  try {
    const token = await signIn(url);
    const me = await call(`${url}/v1/auth/me`, { token });
    expect(me.body).toMatchObject({ user: { email: OWNER.email } });

    const key = await ok(['keys', 'create', '--project', 'assistant', '--name', 'ci']);
    const config = await call(`${url}/v1/sdk/config`, { apiKey: String(key.apiKey) });
    expect(config.status).toBe(200);
    await ok(['keys', 'revoke', String(key.id), '--yes']);
    expect((await call(`${url}/v1/sdk/config`, { apiKey: String(key.apiKey) })).status).toBe(401);

    const org = `organizationId=${made.organizationId}`;
    const price = {
      provider: 'acme',
      match: 'prefix',
      model: 'acme-chat',
      rates: { input: 1.25, output: 10 },
    };
    const created = await call(`${url}/v1/prices?${org}`, {
      token,
      json: { ...price, effectiveFrom: '2026-01-01' },
    });
    expect(created.status).toBe(201);
    const priceUrl = `${url}/v1/prices/${created.body.id}?${org}`;
    expect((await call(priceUrl, { token, method: 'DELETE' })).status).toBeLessThan(300);

    const project = `projectId=${made.projectId}`;
    const prompt = { name: 'triage', template: 'Hello {{name}}' };
    expect((await call(`${url}/v1/prompts?${project}`, { token, json: prompt })).status).toBe(201);
    const second = { template: 'Good day {{name}}' };
    expect((await call(`${url}/v1/prompts/triage/versions?${project}`, { token, json: second })).status).toBe(
      201,
    );
    const listed = await call(`${url}/v1/prompts/triage/versions?${project}`, { token });
    expect(listed.body.versions).toHaveLength(2);

    // Without the event store, it says which part is missing.
    const ready = await call(`${url}/readyz`);
    expect([ready.status, ready.body.error]).toEqual([503, expect.stringContaining('event store')]);
    expect(await ok(['audit', 'verify'])).toMatchObject({ ok: true });
  } finally {
    expect(await server.end('SIGTERM')).toBe(0);
  }
}, 120_000);

test('of two servers one serves; the other takes over when it is killed, and commands elsewhere wait for nobody', async () => {
  const first = await ledger.serve();
  const second = ledger.serve();
  const key = ['keys', 'create', '--project', 'assistant', '--name', 'other', '--json'];
  const refused = await ledger.command(key, { elsewhere: true });
  expect(refused.stderr).toContain('is in use by another spanledger process');
  expect(refused.code).toBe(5);
  const before = await signIn(first.url);
  await first.end('SIGKILL');
  const { url, end } = await second;
  try {
    // A login session belongs to the database.
    expect((await call(`${url}/v1/auth/me`, { token: before })).status).toBe(200);
  } finally {
    await end('SIGTERM');
  }
  // The lease was given back.
  expect((await ledger.command(key, { elsewhere: true })).code).toBe(0);
}, 120_000);

test('while the server is away requests are refused with 503, and go on when it is back', async () => {
  const { url, end } = await ledger.serve();
  try {
    const token = await signIn(url);
    await ledger.server.pause();
    const project = `projectId=${made.projectId}`;
    const list = await call(`${url}/v1/prompts?${project}`, { token });
    expect([list.status, list.body.error]).toEqual([503, expect.stringContaining('does not answer')]);
    // A reader process says so too.
    const audit = await call(`${url}/v1/audit?organizationId=${made.organizationId}`, { token });
    expect([audit.status, audit.body.error]).toEqual([503, expect.stringContaining('does not answer')]);
    const json = { name: 'later', template: 'x' };
    for (const refused of [
      await call(`${url}/v1/prompts?${project}`, { token, json }),
      await call(`${url}/readyz`),
    ])
      expect([refused.status, refused.body.error]).toEqual([
        503,
        'The database server does not answer; try again',
      ]);
    await ledger.server.resume();
    expect((await call(`${url}/v1/prompts?${project}`, { token, json })).status).toBe(201);
  } finally {
    await end('SIGTERM');
  }
}, 120_000);

test('a server whose lease was taken over ends', async () => {
  const server = await ledger.serve();
  const file = new Libsql(ledger.server.file);
  file.exec("UPDATE server_lease SET holder = 'another', ends_at = 0");
  file.close();
  const { body } = await call(`${server.url}/v1/auth/login`, { json: OWNER });
  expect(body.error).toBe('Another server took over; try again');
  expect(await server.log).toContain('another process took over the database');
  await server.end('SIGKILL');
}, 60_000);
