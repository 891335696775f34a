import { describe, expect, test } from 'bun:test';
import { describeConfig } from '../cli/config/describe-config.ts';
import { ConfigError, type Env, loadConfig } from '../src/config.ts';
import { SETTINGS } from '../src/settings.ts';

const failure = (inputs: Parameters<typeof loadConfig>[0]): ConfigError => {
  try {
    loadConfig(inputs);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the settings were taken');
};

test('without any source every setting has its default', () => {
  const { values, sources } = loadConfig();
  expect(values).toEqual({
    DATABASE_URL: 'file:./spanledger.db',
    DATABASE_AUTH_TOKEN: undefined,
    DATABASE_AUTH_TOKEN_FILE: undefined,
    HOST: '127.0.0.1',
    PORT: 4318,
    BETTER_AUTH_SECRET: undefined,
    SESSION_TTL_SECONDS: 604_800,
    SESSION_IDLE_SECONDS: 0,
    API_KEY_CACHE_TTL_SECONDS: 60,
    DEFAULT_PLAN: 'free',
    PLAN_CHANGES: 'operator',
    OPERATORS: undefined,
    SIGNUP: 'invitation',
    PUBLIC_URL: undefined,
    SMTP_URL: undefined,
    MAIL_FROM: undefined,
    GITHUB_CLIENT_ID: undefined,
    GITHUB_CLIENT_SECRET: undefined,
    GOOGLE_CLIENT_ID: undefined,
    GOOGLE_CLIENT_SECRET: undefined,
    OIDC_ISSUERS: undefined,
    OIDC_ISSUERS_FILE: undefined,
    CONNECTORS: undefined,
    CONNECTORS_FILE: undefined,
    SPANLEDGER_INIT_ORG: undefined,
    SPANLEDGER_INIT_PROJECT: undefined,
    SPANLEDGER_INIT_EMAIL: undefined,
    SPANLEDGER_INIT_PASSWORD: undefined,
    SPANLEDGER_INIT_PASSWORD_FILE: undefined,
    SPANLEDGER_INIT_API_KEY: undefined,
    SPANLEDGER_INIT_API_KEY_FILE: undefined,
    TRUSTED_PROXIES: undefined,
    OUTBOUND_ALLOW: undefined,
    BACKUP_TO: undefined,
    BACKUP_KEEP: '24h,7d,4w',
    BACKUP_PASSPHRASE_FILE: undefined,
    REDIS_URL: undefined,
    REDIS_FALLBACK: 'local',
    EVENTS_URL: undefined,
    EVENTS_PASSWORD: undefined,
    EVENTS_PASSWORD_FILE: undefined,
    EVENTS_READ_USER: undefined,
    EVENTS_READ_PASSWORD: undefined,
    EVENTS_READ_PASSWORD_FILE: undefined,
    EVENTS_INSERT_QUORUM: 0,
    PRICE_PACK_KEYS: undefined,
    PRICE_PACK_URL: undefined,
    MODELS_FILE: undefined,
    OPENAI_API_KEY: undefined,
    ANTHROPIC_API_KEY: undefined,
    GEMINI_API_KEY: undefined,
    AI_BASE_URL: undefined,
    AI_API_KEY: undefined,
    AI_MODEL: undefined,
    AI_MONTHLY_USD: undefined,
    METRICS_TOKEN: undefined,
    OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
    OTEL_EXPORTER_OTLP_HEADERS: undefined,
    LOG_LEVEL: 'info',
  });
  expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
});

test('a flag beats the environment, which beats the env file, which beats the default', () => {
  const flags = { PORT: '1' };
  const env = { PORT: '2', HOST: '0.0.0.0' };
  const fileEnv = { PORT: '3', HOST: '::1', SIGNUP: 'open' };
  const { values, sources } = loadConfig({ flags, env, fileEnv });
  expect(values).toMatchObject({ PORT: 1, HOST: '0.0.0.0', SIGNUP: 'open', DEFAULT_PLAN: 'free' });
  expect(sources).toMatchObject({
    PORT: 'flag',
    HOST: 'environment',
    SIGNUP: 'env file',
    DEFAULT_PLAN: 'default',
  });
});

test('an empty variable counts as unset, and foreign variables are ignored', () => {
  const { values, sources } = loadConfig({ env: { PORT: '', PATH: '/usr/bin', PROT: '1' } });
  expect(values.PORT).toBe(4318);
  expect(sources.PORT).toBe('default');
});

test('a bare path is a database file', () => {
  expect(loadConfig({ flags: { DATABASE_URL: 'data/a.db' } }).values.DATABASE_URL).toBe('file:data/a.db');
});

const wrong: readonly (readonly [name: string, env: Env, what: string, fix: string])[] = [
  ['a port that is no number', { PORT: 'abc' }, 'PORT (environment) is "abc"', 'whole number'],
  ['a port that is out of range', { PORT: '65536' }, 'PORT (environment) is "65536"', '65535'],
  ['a short secret', { BETTER_AUTH_SECRET: 'hunter2' }, 'has 7 characters', 'at least 32'],
  ['an unknown plan', { DEFAULT_PLAN: 'gold' }, 'DEFAULT_PLAN (environment) is "gold"', 'free, pro, scale'],
  ['a database in memory', { DATABASE_URL: 'file::memory:' }, 'DATABASE_URL', 'file:PATH'],
  ['another kind of database', { DATABASE_URL: 'postgres://db' }, 'DATABASE_URL', 'file:PATH'],
  ['a public address that is no URL', { PUBLIC_URL: 'ledger' }, 'PUBLIC_URL', 'https URL'],
  ['a negative lifetime', { SESSION_TTL_SECONDS: '-1' }, 'SESSION_TTL_SECONDS', 'seconds'],
  ['an unknown log level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL', 'debug'],
];

describe('wrong values', () => {
  test.each(wrong)('%s is refused with the key, the problem and the fix', (_name, env, what, fix) => {
    const error = failure({ env });
    expect(error.status).toBe(400);
    expect(error.what).toContain(what);
    expect(error.fix).toContain(fix);
  });

  test('an error about a secret does not contain it', () => {
    const { message } = failure({ env: { BETTER_AUTH_SECRET: 'hunter2' } });
    expect(message).not.toContain('hunter2');
  });

  test('an unknown key of an env file is refused with the nearest one', () => {
    expect(failure({ fileEnv: { DATABSE_URL: 'x' } })).toMatchObject({
      key: 'DATABSE_URL',
      what: 'DATABSE_URL (env file) is not a setting',
      fix: 'Did you mean DATABASE_URL?',
    });
  });

  test('an unknown key like no other is refused with the list', () => {
    expect(failure({ fileEnv: { AWS_REGION: 'x' } }).fix).toContain(
      'Known settings: DATABASE_URL, DATABASE_AUTH_TOKEN',
    );
  });
});

test('a description never holds a secret', () => {
  const secret = 'c'.repeat(40);
  const env = {
    BETTER_AUTH_SECRET: secret,
    DATABASE_URL: `libsql://user:${secret}@db.example.com?authToken=${secret}&tls=1`,
  };
  const rows = describeConfig(loadConfig({ env }));
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(rows.find(({ key }) => key === 'DATABASE_URL')?.value).toBe(
    'libsql://user:********@db.example.com?authToken=********&tls=1',
  );
});

test('the settings are these', () => {
  expect(Object.keys(SETTINGS)).toMatchSnapshot();
});

test('OUTBOUND_ALLOW takes addresses, subnets and host names', () => {
  const load = (OUTBOUND_ALLOW: string) => loadConfig({ env: { OUTBOUND_ALLOW } }).values.OUTBOUND_ALLOW;
  expect(load('10.1.0.0/16, ::1,Hooks.Internal.,localhost')).toBe('10.1.0.0/16,::1,hooks.internal,localhost');
  for (const bad of ['10.1.0.0/33', 'http://x', 'a b', 'x:1', '*.internal', '10.1', ','])
    expect(() => load(bad)).toThrow('Set OUTBOUND_ALLOW to addresses, subnets and host names');
});
