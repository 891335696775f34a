import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { describeConfig } from '../../../../cli/config/describe-config.ts';
import { ConfigError, loadConfig } from '../../../../src/config.ts';
import { readIssuers } from '../../../../src/core/auth/oauth/issuers.ts';
import { openFolder } from '../../../helpers/folder.ts';

const SECRET = 'canary-secret';
const ACME = {
  id: 'acme',
  name: 'Acme SSO',
  issuer: 'https://id.acme.example',
  clientId: 'ledger',
  clientSecret: SECRET,
};

const read = (env: Record<string, string>) => readIssuers(loadConfig({ env }).values);
const readAll = (...entries: object[]) => read({ OIDC_ISSUERS: JSON.stringify(entries) });
const failure = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.what;
    throw error;
  }
  throw new Error('the settings were accepted');
};

test('without settings there are no issuers', () => {
  expect(read({})).toEqual([]);
});

test('an entry has defaults, and always the scope openid', () => {
  expect(readAll(ACME)).toEqual([
    {
      ...ACME,
      issuer: 'https://id.acme.example/',
      scopes: ['openid', 'email', 'profile'],
      domains: [],
      assumeVerified: false,
      logout: true,
    },
  ]);
  expect(readAll({ ...ACME, scopes: ['email', 'openid'] })[0]?.scopes).toEqual(['openid', 'email']);
});

test('the list and the secrets can be in files', () => {
  const { clientSecret, ...rest } = ACME;
  const files = openFolder();
  writeFileSync(files.path('secret'), `${clientSecret}\n`);
  writeFileSync(
    files.path('issuers.json'),
    JSON.stringify([{ ...rest, clientSecretFile: files.path('secret') }]),
  );
  expect(read({ OIDC_ISSUERS_FILE: files.path('issuers.json') })[0]?.clientSecret).toBe(SECRET);
  files.remove();
  expect(failure(() => read({ OIDC_ISSUERS_FILE: files.path('issuers.json') }))).toMatch(
    /^OIDC_ISSUERS_FILE: cannot read /,
  );
});

describe('a wrong setting names the entry and the field, but no secret', () => {
  const { clientSecret: _, ...noSecret } = ACME;
  const cases: [string, object[], string][] = [
    [
      'http',
      [{ ...ACME, issuer: 'http://id.acme.example' }],
      'entry 1 (acme), issuer: has to begin with https://',
    ],
    [
      'no URL',
      [{ ...ACME, issuer: 'acme' }],
      'entry 1 (acme), issuer: has to be a URL such as https://id.example.com',
    ],
    [
      'a query',
      [{ ...ACME, issuer: 'https://a.example/?a=b' }],
      'entry 1 (acme), issuer: has no query, fragment or user',
    ],
    [
      'the document',
      [{ ...ACME, issuer: 'https://a.example/.well-known/openid-configuration' }],
      'entry 1 (acme), issuer: ends before /.well-known/',
    ],
    [
      'many tenants',
      [{ ...ACME, issuer: 'https://login.microsoftonline.com/common/v2.0' }],
      "entry 1 (acme), issuer: has to name your tenant, not Microsoft's common, organizations or consumers",
    ],
    [
      'an id',
      [ACME, { ...ACME, id: 'Acme SSO' }],
      'entry 2 (Acme SSO), id: is 1 to 40 lower-case letters, digits and hyphens',
    ],
    ['a taken id', [{ ...ACME, id: 'github' }], 'entry 1 (github), id: is taken; choose another'],
    ['no secret', [noSecret], 'entry 1 (acme): needs clientSecret or clientSecretFile'],
    [
      'two secrets',
      [{ ...ACME, clientSecretFile: '/x' }],
      'entry 1 (acme): needs clientSecret or clientSecretFile',
    ],
    ['a misspelt field', [{ ...ACME, scope: 'email' }], 'entry 1 (acme): Unrecognized key: "scope"'],
    [
      'a domain',
      [{ ...ACME, domains: ['@acme'] }],
      'entry 1 (acme), domains.0: is not a domain such as example.com',
    ],
    ['every address', [{ ...ACME, assumeVerified: true }], 'entry 1 (acme): assumeVerified needs domains'],
    ['the same id twice', [ACME, { ...ACME, issuer: 'https://b.example' }], 'two issuers have the same id'],
    ['the same issuer twice', [ACME, { ...ACME, id: 'other' }], 'two entries have the same issuer'],
  ];
  test.each(cases)('%s', (_name, entries, what) => {
    expect(failure(() => readAll(...entries))).toBe(`OIDC_ISSUERS: ${what}`);
  });

  test.each([`[{"clientSecret": "${SECRET}"`, '{}', '[null]', `["${SECRET}"]`])('%s', (text) => {
    expect(failure(() => read({ OIDC_ISSUERS: text }))).not.toContain(SECRET);
  });

  test('both sources', () => {
    expect(failure(() => read({ OIDC_ISSUERS: '[]', OIDC_ISSUERS_FILE: '/x' }))).toBe(
      'OIDC_ISSUERS and OIDC_ISSUERS_FILE are both set',
    );
  });
});

test.each(['http://127.0.0.1:8080', 'http://localhost:8080/realms/a', 'http://[::1]:8080'])(
  'http is allowed on loopback: %s',
  (issuer) => {
    expect(readAll({ ...ACME, issuer })[0]?.issuer).toBe(new URL(issuer).href);
  },
);

test('config show masks the issuers', () => {
  const shown = describeConfig(loadConfig({ env: { OIDC_ISSUERS: JSON.stringify([ACME]) } }));
  expect(shown.find(({ key }) => key === 'OIDC_ISSUERS')).toMatchObject({ value: '********', secret: true });
  expect(JSON.stringify(shown)).not.toContain(SECRET);
});
