import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { SpanNode } from '../../../../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { getTrace } from '../../../../../../src/core/events/stores/sqlite/traces/get-trace.ts';
import { NOON } from '../../../../../event-store/make-event.ts';
import { randomEvents } from '../../../../../event-store/random-events.ts';
import { measureAll } from '../../../../../event-store/recount.ts';
import { createRandom } from '../../../../../helpers/random.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

const nodesOf = (spans: readonly SpanNode[]): SpanNode[] => {
  const found = [...spans];
  for (const node of found) found.push(...node.children);
  return found;
};

test('each span has the sums of its subtree at any depth, and counts each call once', async () => {
  const random = createRandom(5);
  const events = randomEvents(5, 400, NOON, NOON + 1_000).map((event, place): PricedEvent => {
    const chain = place < 150 ? place - 1 : Math.floor(random() * place);
    return {
      ...event,
      trace_id: 'deep',
      span_id: `s${place}`,
      parent_span_id: place === 0 ? null : `s${chain}`,
    };
  });
  await ledger.record(1, events);
  const below = (id: string): PricedEvent[] =>
    events
      .filter(({ parent_span_id }) => parent_span_id === id)
      .flatMap((child) => [child, ...below(child.span_id)]);
  const reply = getTrace(ledger.reader(1), 'deep');
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
            errors: measureAll(all).errors,
            cost_usd: expect.closeTo(calls.cost, 9),
            unpriced: calls.unpriced,
            input_tokens: calls.inputTokens,
            output_tokens: calls.outputTokens,
          },
    );
  }
});
