import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { commands } from '../../cli/commands.ts';
import { CLIENT, startProvider, type TestProvider } from '../core/auth/oidc/provider.ts';
import { openFolder } from '../helpers/folder.ts';
import { runWith } from './terminal.ts';

let provider: TestProvider;
beforeAll(async () => {
  provider = await startProvider(['http://ledger.test'], 'acme');
});
afterAll(() => provider.close());

const entry = (more: object = {}) => ({
  id: 'acme',
  name: 'Acme SSO',
  issuer: provider.issuer,
  ...CLIENT,
  ...more,
});
const check = (entries: object[], argv: string[] = []) =>
  runWith(commands, ['auth', 'check-issuer', ...argv], {
    env: { PUBLIC_URL: 'http://ledger.test', OIDC_ISSUERS: JSON.stringify(entries) },
  });

describe('auth check-issuer', () => {
  test('shows what an issuer supports, and what to register there', async () => {
    const { code, stdout, stderr } = await check([entry()]);
    expect(stdout).toMatch(/ok +PKCE +S256/);
    expect(stdout).toMatch(/ok +signing keys +1/);
    expect(stderr).toContain('redirect http://ledger.test/v1/auth/callback/acme');
    expect(stdout + stderr).not.toContain(CLIENT.clientSecret);
    expect(code).toBe(0);
  });

  test('fails with the reason for an issuer that does not reply, and still checks the others', async () => {
    const down = entry({ id: 'down', issuer: 'http://127.0.0.1:9' });
    const { code, stdout } = await check([down, entry()], ['--json']);
    const { ok, issuers } = JSON.parse(stdout);
    expect([code, ok]).toEqual([1, false]);
    expect(issuers[0].checks.at(-1)).toEqual({
      name: 'discovery',
      state: 'failed',
      detail: 'no reply: check the address, the name service, the certificate and the firewall',
    });
    expect(issuers[1].checks.length).toBeGreaterThan(5);
  });

  const problems: [string, () => Promise<object>, RegExp][] = [
    [
      'another issuer',
      async () => entry({ issuer: provider.issuer.replace('127.0.0.1', 'localhost') }),
      /names another issuer/,
    ],
    [
      'an address without a document',
      async () => entry({ issuer: `${provider.issuer}/realms/x` }),
      /openid-configuration below the address \(404\)/,
    ],
    [
      'a page instead of the document',
      async () => {
        await provider.set({ status: 200 });
        return entry();
      },
      /the reply is no JSON/,
    ],
  ];
  test.each(problems)('recognises %s', async (_name, prepare, reason) => {
    const { code, stdout } = await check([await prepare()], ['--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).issuers[0].checks.at(-1).detail).toMatch(reason);
    await provider.set({});
  });

  test('names the settings if there is no issuer, and the known ones for a wrong id', async () => {
    expect(await check([])).toMatchObject({ code: 3, stderr: expect.stringContaining('Set OIDC_ISSUERS') });
    const other = await check([entry()], ['okta']);
    expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining('Choose one of acme') });
  });
});

test('serve does not start with a wrong list of issuers, and names the entry', async () => {
  const folder = openFolder();
  const env = { OIDC_ISSUERS: JSON.stringify([entry(), entry({ id: 'Acme 2' })]), LOG_LEVEL: 'silent' };
  const argv = ['serve', '--port', '0', '--db', folder.path('test.db')];
  const { code, stderr } = await runWith(commands, argv, { env });
  expect(stderr).toContain(
    'OIDC_ISSUERS: entry 2 (Acme 2), id: is 1 to 40 lower-case letters, digits and hyphens',
  );
  expect(stderr).not.toContain(CLIENT.clientSecret);
  expect(code).toBe(2);
  folder.remove();
});
