import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { longestSlice } from '../helpers/slices.ts';
import { invoiceOf, largeBatch, largeDump, largeTrace } from './bodies.ts';

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
  ['an invoice', '/v1/reconcile', () => invoiceOf(100_000), 'bearer', 200],
])(
  '%s of a large size keeps the serving thread for a moment at a time',
  async (_, path, make, by, status) => {
    const { apiKey, bearer, projectId } = app.seed;
    const body = make();
    const request = {
      method: 'POST',
      headers: path === '/v1/reconcile' ? { ...gzip, 'Content-Type': 'text/csv' } : gzip,
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
