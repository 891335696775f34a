import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { longestSlice } from '../helpers/slices.ts';
import { largeBatch, largeDump, largeTrace } from './bodies.ts';

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
