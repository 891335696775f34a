import { afterAll, beforeAll, expect, test } from 'bun:test';
import { MAX_TRACE_SPANS } from '../../../../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { ofProject } from '../../../../../../src/core/tenancy/index.ts';
import { makeEvent, NOON } from '../../../../../event-store/support/make-event.ts';
import { type OpenLog, openLog } from '../open-log.ts';

let log: OpenLog;
beforeAll(() => {
  log = openLog();
});
afterAll(() => log.close());

const chain = (count: number): PricedEvent[] =>
  Array.from({ length: count }, (_, place) =>
    makeEvent({
      trace_id: 'long',
      kind: 'span',
      ts: NOON + place,
      span_id: `span-${place}`,
      parent_span_id: place === 0 ? null : `span-${place - 1}`,
    }),
  );

test('a chain of 30,000 spans over several segments and the log is nested as a whole', async () => {
  const project = await log.newProject();
  const spans = chain(30_000);
  await log.record(project, spans.slice(0, 25_000));
  await log.seal(project);
  await log.record(project, spans.slice(25_000));
  const reply = await log.store.trace(ofProject(project), 'long');
  expect(reply?.parse().trace).toMatchObject({ spans: 30_000, llm_calls: 0, truncated: false });
  expect(reply?.text.split('"span_id"')).toHaveLength(30_001);
}, 30_000);

test('a trace of more spans than a reply has is cut at its end, and its sums count all', async () => {
  const project = await log.newProject();
  await log.record(project, chain(MAX_TRACE_SPANS + 1));
  const reply = await log.store.waterfall(ofProject(project), 'long');
  const { trace, spans } = reply?.parse() ?? {};
  expect(trace).toMatchObject({ spans: MAX_TRACE_SPANS + 1, truncated: true });
  expect(spans?.start_ms).toEqual(Array.from({ length: MAX_TRACE_SPANS }, (_, place) => place));
}, 60_000);
