import { expect, test } from 'bun:test';
import type { TraceReply } from '../../../src/core/events/contract.ts';
import { parseEvent, recordEvents, redactorOf } from '../../../src/core/events/index.ts';
import { findProject } from '../../../src/core/projects/index.ts';
import { openTestApp, TEST_NOW } from '../../helpers/app.ts';

const events = (count: number, traceId: string) =>
  Array.from({ length: count }, () => {
    const raw = { provider: 'openai', model: 'gpt-4o', trace_id: traceId };
    const result = parseEvent(raw, { redact: redactorOf([]), storePrompts: false, now: TEST_NOW });
    if (!result.ok) throw new Error(result.error);
    return result.event;
  });

test('a batch that is refused just when a chunk is full hides nothing of that chunk', async () => {
  const app = await openTestApp();
  const { projectId, organizationId, bearer } = app.seed;
  const { no } = await findProject(app.ctx, projectId);
  const scope = { projectId, organizationId, no, monthlyEvents: 2_100 };
  // All are asked for at once, so that they share a transaction; the last is over the quota.
  const replies = await Promise.allSettled(
    Array.from({ length: 22 }, (_, batch) => recordEvents(app.ctx, scope, events(100, `trace ${batch}`))),
  );
  expect(replies.map(({ status }) => status)).toEqual([...Array(21).fill('fulfilled'), 'rejected']);
  const reply = await app.fetch(`/v1/traces/trace%2020?projectId=${projectId}`, { bearer });
  expect(reply.status).toBe(200);
  expect(((await reply.json()) as TraceReply).trace.spans).toBe(100);
  await app.close();
});
