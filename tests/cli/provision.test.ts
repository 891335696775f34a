import { afterEach, beforeEach, expect, test } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliCommand } from '../helpers/server.ts';
import { emptyLedger, type TestLedger } from './ledger.ts';

const API_KEY = `slk_${'0123456789abcdef'.repeat(4)}`;
const PASSWORD = 'canary-init-password';
const INIT = {
  SPANLEDGER_INIT_ORG: 'Acme',
  SPANLEDGER_INIT_PROJECT: 'assistant',
  SPANLEDGER_INIT_EMAIL: 'ada@example.com',
};

let ledger: TestLedger;
beforeEach(() => {
  ledger = emptyLedger();
});
afterEach(() => ledger.remove());

const file = (name: string, text: string): string => {
  const path = join(ledger.dir, name);
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
};

/** Runs `serve` with an environment until it is ready or ends; `use` receives the server's URL. */
const serve = async (env: Record<string, string>, use: (url: string, ready: object) => Promise<void>) => {
  const child = Bun.spawn([...cliCommand, 'serve', '--port', '0', '--json'], {
    cwd: ledger.dir,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const errors = new Response(child.stderr).text();
  let text = '';
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('\n')) break;
  }
  try {
    if (text.includes('"ready":true')) {
      const ready = JSON.parse(text) as { url: string };
      await use(ready.url, ready);
    }
  } finally {
    child.kill('SIGTERM');
  }
  return { code: await child.exited, output: text + (await errors) };
};
const login = async (url: string, password: string) => {
  const body = JSON.stringify({ email: 'ada@example.com', password });
  return fetch(`${url}/v1/auth/login`, { method: 'POST', body });
};
const keyWorks = async (url: string) =>
  (await fetch(`${url}/v1/sdk/config`, { headers: { 'x-api-key': API_KEY } })).status;

test('SPANLEDGER_INIT_* set a new file up, and three more starts change nothing', async () => {
  const env = {
    ...INIT,
    SPANLEDGER_INIT_PASSWORD_FILE: file('password', `${PASSWORD}\n`),
    SPANLEDGER_INIT_API_KEY_FILE: file('key', `${API_KEY}\n`),
  };
  let me: unknown;
  const seen: unknown[] = [];
  for (let start = 0; start < 4; start++) {
    const { output } = await serve(env, async (url, ready) => {
      expect(ready).not.toHaveProperty('setup');
      expect(await keyWorks(url)).toBe(200);
      const reply = await login(url, start < 2 ? PASSWORD : 'another long password');
      const { token } = (await reply.json()) as { token: string };
      const headers = { Authorization: `Bearer ${token}` };
      me = await (await fetch(`${url}/v1/auth/me`, { headers })).json();
      seen.push(me);
      if (start !== 1) return;
      // Later changes by people must survive the next start.
      const json = { currentPassword: PASSWORD, newPassword: 'another long password' };
      await fetch(`${url}/v1/auth/change-password`, { method: 'POST', headers, body: JSON.stringify(json) });
    });
    expect(output.includes('Set up for ada@example.com')).toBe(start === 0);
    expect(output).not.toContain(PASSWORD);
    expect(output).not.toContain(API_KEY);
  }
  expect(me).toMatchObject({
    user: { email: 'ada@example.com', emailVerified: true },
    memberships: [
      { organizationName: 'Acme', role: 'owner', plan: 'scale', projects: [{ name: 'assistant' }] },
    ],
  });
  expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
  // A start without the secrets also changes nothing.
  await serve(INIT, async (url) => expect(await keyWorks(url)).toBe(200));
});

test.each([
  ['a setting is missing', { ...INIT }, 'SPANLEDGER_INIT_PASSWORD is not set'],
  [
    'the password is short',
    { ...INIT, SPANLEDGER_INIT_PASSWORD: 'canary7' },
    'SPANLEDGER_INIT_PASSWORD: Too small',
  ],
  [
    'the key is malformed',
    { ...INIT, SPANLEDGER_INIT_PASSWORD: PASSWORD, SPANLEDGER_INIT_API_KEY: 'slk_canary' },
    'SPANLEDGER_INIT_API_KEY: has to be slk_',
  ],
  [
    'the address is malformed',
    { ...INIT, SPANLEDGER_INIT_EMAIL: 'ada', SPANLEDGER_INIT_PASSWORD: PASSWORD },
    'SPANLEDGER_INIT_EMAIL: ',
  ],
  [
    'a file cannot be read',
    { ...INIT, SPANLEDGER_INIT_PASSWORD_FILE: '/nowhere/password' },
    'SPANLEDGER_INIT_PASSWORD_FILE: cannot read /nowhere/password',
  ],
])('if %s, the server does not start and names the setting', async (_name, env, message) => {
  let ready = false;
  const { code, output } = await serve(env, async () => {
    ready = true;
  });
  expect([ready, code]).toEqual([false, 2]);
  expect(output).toContain(message);
  expect(output).not.toContain('canary');
});
