import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { SpanNode } from '../../../../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { ofProject } from '../../../../../../src/core/tenancy/index.ts';
import { NOON } from '../../../../../event-store/support/make-event.ts';
import { randomEvents } from '../../../../../event-store/support/random-events.ts';
import { isFailure, measureAll } from '../../../../../event-store/support/recount.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type OpenLog, openLog } from '../open-log.ts';

const EVENTS = 400;
/** The first spans are one below the other; the others are below any. */
const CHAIN = 150;

let log: OpenLog;
beforeAll(() => {
  log = openLog();
});
afterAll(() => log.close());

const nodesOf = (spans: readonly SpanNode[]): SpanNode[] => {
  const found = [...spans];
  for (const node of found) found.push(...node.children);
  return found;
};

test('each span has the sums of its subtree at any depth, and counts each call once', async () => {
  const random = createRandom(5);
  const events = randomEvents(5, EVENTS, NOON, NOON + 1_000).map(
    (event, place): PricedEvent => ({
      ...event,
      trace_id: 'deep',
      span_id: `s${place}`,
      parent_span_id: place === 0 ? null : `s${place < CHAIN ? place - 1 : Math.floor(random() * place)}`,
    }),
  );
  const project = await log.newProject();
  await log.record(project, events.slice(0, EVENTS / 2));
  await log.seal(project);
  await log.record(project, events.slice(EVENTS / 2));
  const below = (id: string): PricedEvent[] =>
    events
      .filter(({ parent_span_id }) => parent_span_id === id)
      .flatMap((child) => [child, ...below(child.span_id)]);
  const reply = (await log.store.trace(ofProject(project), 'deep'))?.parse();
  const nodes = nodesOf(reply?.spans ?? []);
  expect(nodes).toHaveLength(events.length);
  expect(nodes.filter(({ too_deep }) => too_deep).length).toBeGreaterThan(0);
  for (const node of nodes) {
    const own = events.filter(({ span_id }) => span_id === node.span_id);
    const lower = below(node.span_id);
    const all = [...own, ...lower];
    const calls = measureAll(all.filter(({ is_call }) => is_call));
    expect(node.subtree).toEqual(
      lower.length === 0
        ? undefined
        : {
            spans: all.length,
            llm_calls: calls.requests,
            errors: all.filter(isFailure).length,
            cost_usd: expect.closeTo(calls.cost, 9),
            unpriced: calls.unpriced,
            input_tokens: calls.inputTokens,
            output_tokens: calls.outputTokens,
          },
    );
  }
});
