import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientOptions, createClient, type Problem } from '../../src/sdk/index.ts';
import { readOptions } from '../../src/sdk/options.ts';

const read = (given: ClientOptions) => {
  const problems: Problem[] = [];
  return { settings: readOptions({ env: {}, ...given }, (problem) => void problems.push(problem)), problems };
};

const DEFAULTS = {
  apiKey: undefined,
  accessToken: undefined,
  baseUrl: 'http://127.0.0.1:4318',
  enabled: true,
  storePrompts: false,
  redactKeys: [],
  replaceRedactKeys: false,
  sampleRate: 1,
  environment: undefined,
  release: undefined,
  flushIntervalMs: undefined,
  maxBatchSize: undefined,
  maxQueueEvents: 100_000,
  maxQueueBytes: 67_108_864,
  requestTimeoutMs: 10_000,
  flushTimeoutMs: 5_000,
  flushAtExit: true,
  mask: undefined,
  openTelemetry: undefined,
  remoteConfig: true,
  fetch: undefined,
};

const ENV = {
  SPANLEDGER_API_KEY: ' slk_1 ',
  SPANLEDGER_ACCESS_TOKEN: 'slt_1',
  SPANLEDGER_BASE_URL: 'https://ledger.example.com/base//',
  SPANLEDGER_ENABLED: 'no',
  SPANLEDGER_STORE_PROMPTS: 'TRUE',
  SPANLEDGER_REDACT: 'iban, tax_id,',
  SPANLEDGER_SAMPLE_RATE: '0.25',
  SPANLEDGER_ENVIRONMENT: 'staging',
  SPANLEDGER_RELEASE: '1.2.3',
  SPANLEDGER_FLUSH_INTERVAL_MS: '200',
  SPANLEDGER_MAX_BATCH_SIZE: '50',
  SPANLEDGER_MAX_QUEUE_EVENTS: '7',
  SPANLEDGER_MAX_QUEUE_BYTES: '1000',
  SPANLEDGER_REQUEST_TIMEOUT_MS: '300',
  SPANLEDGER_FLUSH_TIMEOUT_MS: '400',
  SPANLEDGER_FLUSH_AT_EXIT: 'no',
  SPANLEDGER_REMOTE_CONFIG: '0',
};

test('without options the defaults apply', () => {
  expect(read({})).toEqual({ settings: DEFAULTS, problems: [] });
});

test('every option can come from the environment, and options in code take precedence', () => {
  const fromEnv = {
    apiKey: 'slk_1',
    accessToken: 'slt_1',
    baseUrl: 'https://ledger.example.com/base',
    enabled: false,
    storePrompts: true,
    redactKeys: ['iban', 'tax_id'],
    replaceRedactKeys: false,
    sampleRate: 0.25,
    environment: 'staging',
    release: '1.2.3',
    flushIntervalMs: 200,
    maxBatchSize: 50,
    maxQueueEvents: 7,
    maxQueueBytes: 1_000,
    requestTimeoutMs: 300,
    flushTimeoutMs: 400,
    flushAtExit: false,
    mask: undefined,
    openTelemetry: undefined,
    remoteConfig: false,
    fetch: undefined,
  };
  expect(read({ env: ENV })).toEqual({ settings: fromEnv, problems: [] });
  const given = {
    apiKey: 'slk_2',
    enabled: true,
    sampleRate: 0,
    redact: ['x'],
    flushIntervalMs: 1,
    storePrompts: false,
  };
  expect(read({ env: ENV, ...given }).settings).toMatchObject({
    apiKey: 'slk_2',
    enabled: true,
    sampleRate: 0,
    redactKeys: ['x'],
    flushIntervalMs: 1,
    storePrompts: false,
  });
  const replaced = { ...ENV, SPANLEDGER_REDACT_REPLACE: 'a,b' };
  expect(read({ env: replaced }).settings).toMatchObject({ redactKeys: ['a', 'b'], replaceRedactKeys: true });
});

test('every option has an environment variable', () => {
  const source = readFileSync(join(import.meta.dir, '../../src/sdk/options.ts'), 'utf8');
  const [, body = ''] = source.match(/export type ClientOptions = \{([\s\S]*?)^\};/m) ?? [];
  const names = [...body.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name ?? '');
  const only = ['env', 'fetch', 'mask', 'onProblem', 'openTelemetry'];
  const variables = names
    .filter((name) => !only.includes(name))
    .map((name) => `SPANLEDGER_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`);
  expect(variables.sort()).toEqual(Object.keys(ENV).sort());
});

test('an invalid value is reported by name, and its default is used', () => {
  const env = {
    ...ENV,
    SPANLEDGER_SAMPLE_RATE: '7',
    SPANLEDGER_MAX_BATCH_SIZE: 'many',
    SPANLEDGER_ENABLED: 'maybe',
  };
  const { settings, problems } = read({ env });
  expect(settings).toMatchObject({ sampleRate: 1, maxBatchSize: undefined, enabled: true });
  expect(problems.map(({ message }) => message)).toEqual([
    'ENABLED must be true or false; its default is used',
    'SAMPLE_RATE must be a number from 0 to 1; its default is used',
    'MAX_BATCH_SIZE must be a number from 1 to 100; its default is used',
  ]);
});

test('a disabled client does nothing and prints nothing', async () => {
  const problems: Problem[] = [];
  const asked: string[] = [];
  const client = createClient({
    enabled: false,
    env: {},
    onProblem: (problem) => void problems.push(problem),
    fetch: async (url) => Promise.reject(asked.push(url)),
  });
  client.track({ provider: 'x', model: 'y' });
  expect(client.trace('x', () => 42)).toBe(42);
  client.startCall({ provider: 'x', model: 'y' }).end();
  expect(await client.shutdown()).toEqual({
    accepted: 0,
    rejected: 0,
    dropped: 0,
    sampledOut: 0,
    pending: 0,
  });
  expect([problems, asked]).toEqual([[], []]);
});
