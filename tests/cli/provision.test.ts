import { afterEach, beforeEach, expect, test } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliCommand } from '../helpers/server.ts';
import { emptyLedger, type TestLedger } from './ledger.ts';

const API_KEY = `slk_${'0123456789abcdef'.repeat(4)}`;
const PASSWORD = 'canary-init-password';
const CHANGED = 'another long password';
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

test('SPANLEDGER_INIT_* set a new file up, and later starts change nothing', async () => {
  const env = {
    ...INIT,
    SPANLEDGER_INIT_PASSWORD_FILE: file('password', `${PASSWORD}\n`),
    SPANLEDGER_INIT_API_KEY_FILE: file('key', `${API_KEY}\n`),
  };
  const seen: unknown[] = [];
  for (const password of [PASSWORD, CHANGED]) {
    const { output } = await serve(env, async (url, ready) => {
      expect(ready).not.toHaveProperty('setup');
      expect(await keyWorks(url)).toBe(200);
      const { token } = (await (await login(url, password)).json()) as { token: string };
      const headers = { Authorization: `Bearer ${token}` };
      seen.push(await (await fetch(`${url}/v1/auth/me`, { headers })).json());
      if (password === CHANGED) return;
      // Later changes by people must survive the next start.
      const json = { currentPassword: PASSWORD, newPassword: CHANGED };
      const changed = await fetch(`${url}/v1/auth/change-password`, {
        method: 'POST',
        headers,
        body: JSON.stringify(json),
      });
      expect(changed.ok).toBe(true);
    });
    expect(output.includes('Set up for ada@example.com')).toBe(password === PASSWORD);
    expect(output).not.toContain(PASSWORD);
    expect(output).not.toContain(API_KEY);
  }
  expect(seen[0]).toMatchObject({
    user: { email: 'ada@example.com', emailVerified: true },
    memberships: [
      { organizationName: 'Acme', role: 'owner', plan: 'scale', projects: [{ name: 'assistant' }] },
    ],
  });
  expect(seen[1]).toEqual(seen[0]);
  // A start without the secrets also changes nothing.
  await serve(INIT, async (url) => {
    expect(await keyWorks(url)).toBe(200);
    expect((await login(url, CHANGED)).status).toBe(200);
  });
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
