import { expect, test } from 'bun:test';
import type { TracePage } from '../../../src/core/events/contract.ts';
import { openTestApp, TEST_NOW } from '../../helpers/app.ts';

test.each(['a', '漢', '"', '\u0001'])('traces with the longest ids of %j can be paged', async (letter) => {
  const app = await openTestApp();
  const { apiKey, bearer, projectId } = app.seed;
  const ids = ['1', '2', '3'].map((digit) => digit.padEnd(128, letter));
  const events = ids.map((trace_id, i) => {
    const timestamp = new Date(TEST_NOW - i * 1000).toISOString();
    return { provider: 'openai', model: 'gpt-4o', trace_id, timestamp };
  });
  await app.fetch('/v1/ingest', { apiKey, events });
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const path = `/v1/traces?projectId=${projectId}&limit=1&cursor=${cursor}`;
    const reply = await app.fetch(path, { bearer });
    expect(reply.status).toBe(200);
    const page = (await reply.json()) as TracePage;
    seen.push(...page.traces.map(({ trace_id }) => trace_id));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(ids);
  await app.close();
});
