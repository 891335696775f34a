import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { longestSlice } from '../helpers/slices.ts';
import { largeBatch, largeDump, largeTrace } from './bodies.ts';
import { SLOW_PATTERN, slowText } from './slow-pattern.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ mode: 'serve', now: Date.now(), checkReplies: false });
});
afterAll(() => app.close());

const gzip = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };

test.each<[string, string, () => Uint8Array<ArrayBuffer>, 'key' | 'bearer', number]>([
  ['a batch', '/v1/ingest', largeBatch, 'key', 202],
  ['a trace request', '/v1/otel', largeTrace, 'key', 202],
  ['an inspected request', '/v1/otel/inspect', largeDump, 'bearer', 200],
])(
  '%s of a large size keeps the serving thread for a moment at a time',
  async (_, path, make, by, status) => {
    const { apiKey, bearer, projectId } = app.seed;
    const body = make();
    const request = {
      method: 'POST',
      headers: gzip,
      body,
      ...(by === 'key' ? { apiKey } : { bearer }),
    };
    const url = by === 'key' ? path : `${path}?projectId=${projectId}`;
    // The first request compiles what it runs.
    const send = async (): Promise<number> => (await app.fetch(url, request)).status;
    expect(await send()).toBe(status);
    const longest = await longestSlice(async () => expect(await send()).toBe(status));
    expect(longest).toBeLessThan(60);
  },
);

// On a file of its own: with the large batches above, each download would make enough garbage for a full collection.
test('an export to Parquet keeps the serving thread for a moment at a time', async () => {
  const own = await openTestApp({ mode: 'serve', now: Date.now(), checkReplies: false });
  const { apiKey, bearer, projectId } = own.seed;
  const note = 'n'.repeat(200);
  for (let i = 0; i < 60; i++) {
    const events = Array.from({ length: 100 }, (_, at) => ({
      provider: 'openai',
      model: `model-${at % 7}`,
      input_tokens: at,
      metadata: { note, at },
    }));
    expect((await own.fetch('/v1/ingest', { apiKey, events })).status).toBe(202);
  }
  const path = `/v1/events/export?format=parquet&projectId=${projectId}`;
  const download = async (): Promise<number> => (await (await own.fetch(path, { bearer })).bytes()).length;
  expect(await download()).toBeGreaterThan(10_000);
  expect(await longestSlice(download)).toBeLessThan(60);
  await own.close();
});

describe('a pattern that takes minutes keeps the serving thread for a moment at a time', () => {
  const output = slowText(190_000);
  const short = slowText(19_000);
  const rules = { name: 'slow', scoreName: 'slow' };
  const checks = Array.from({ length: 3 }, () => ({
    kind: 'regex',
    config: { pattern: SLOW_PATTERN },
    action: 'flag',
  }));
  const late = expect.stringContaining('took longer than');
  const large = expect.stringContaining('too large or too deep');

  test.each<[string, string, object, object]>([
    [
      'of an evaluator',
      '/v1/evaluators/test',
      { evaluator: { ...rules, kind: 'regex', config: { pattern: SLOW_PATTERN } }, example: { output } },
      { status: 'skipped', reason: late },
    ],
    [
      "of an evaluator's schema",
      '/v1/evaluators/test',
      {
        evaluator: { ...rules, kind: 'json_schema', config: { schema: { pattern: SLOW_PATTERN } } },
        example: { output: JSON.stringify(output) },
      },
      { status: 'scored', value: false, reason: large },
    ],
    [
      'of a guardrail that is tried',
      '/v1/guardrails/try',
      { text: short, checks },
      { action: 'allow', results: checks.map(() => ({ check: 'regex', error: late })) },
    ],
    [
      'of a guardrail',
      '/v1/guardrails/check',
      { stage: 'input', text: short },
      { action: 'allow', results: checks.map(() => ({ check: 'regex', error: late })) },
    ],
  ])('%s', async (_, path, body, reply) => {
    const { bearer, projectId } = app.seed;
    const send = async (to: string, sent: object): Promise<Response> =>
      app.fetch(`${to}?projectId=${projectId}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        bearer,
        body: JSON.stringify(sent),
      });
    if (path.endsWith('/check'))
      expect((await send('/v1/guardrails', { name: 'slow', stage: 'input', checks })).status).toBe(201);
    const check = async (): Promise<void> => {
      const response = await send(path, body);
      expect([response.status, await response.json()]).toMatchObject([200, reply]);
    };
    // The first request compiles what it runs, and shows that it is slow.
    await check();
    expect(await longestSlice(check)).toBeLessThan(60);
  });
});

test('a guardrail whose patterns take long to compile keeps the serving thread for a moment at a time', async () => {
  const { bearer, projectId } = app.seed;
  let name = 0;
  const save = async (): Promise<void> => {
    const checks = Array.from({ length: 20 }, (_, i) => ({
      kind: 'regex',
      config: { pattern: `(?i)${'\\pL\\pN\\pS\\pC'.repeat(22)}${i}` },
      action: 'flag',
    }));
    const json = { name: `large-${++name}`, stage: 'input', enabled: false, checks };
    const response = await app.fetch(`/v1/guardrails?projectId=${projectId}`, { bearer, json });
    expect(response.status).toBe(201);
  };
  await save();
  expect(await longestSlice(save)).toBeLessThan(60);
});

test('a folder of prompts keeps the serving thread for a moment at a time, in and out', async () => {
  const { bearer, projectId } = app.seed;
  const template = 'Sort {{ticket}} by {{team}}, then say why. '.repeat(70);
  const prompts = Array.from({ length: 1_000 }, (_, i) => ({
    name: `many/n${i}`,
    template: `${template}${i}`,
  }));
  const path = `/v1/prompt-files?projectId=${projectId}`;
  const post = async (dryRun: boolean): Promise<void> => {
    const body = JSON.stringify({ prompts, dryRun });
    const headers = { 'Content-Type': 'application/json' };
    expect((await app.fetch(path, { method: 'POST', headers, bearer, body })).status).toBe(200);
  };
  await post(false);
  expect(await longestSlice(() => post(true))).toBeLessThan(60);
  const get = async (): Promise<void> => {
    const { prompts: read } = (await (await app.fetch(path, { bearer })).json()) as { prompts: unknown[] };
    expect(read).toHaveLength(1_000);
  };
  expect(await longestSlice(get)).toBeLessThan(60);
});
