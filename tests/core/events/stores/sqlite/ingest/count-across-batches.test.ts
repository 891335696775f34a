import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { spanEventId } from '../../../../../../src/core/events/index.ts';
import { listEvents } from '../../../../../../src/core/events/stores/sqlite/queries/list-events.ts';
import { makeEvent, NOON } from '../../../../../event-store/make-event.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

const HOUR = 3_600_000;
const WINDOW = { from: NOON - 48 * HOUR, to: NOON + 48 * HOUR };
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.close());

const span = (trace: string, id: string, given: Partial<PricedEvent>): PricedEvent =>
  makeEvent({ event_id: spanEventId(trace, id), trace_id: trace, span_id: id, ...given });

const callsOf = (project: number): string[] =>
  listEvents(ledger.reader(project), { filters: {}, calls: true, window: WINDOW, cursor: null, limit: 200 })
    .events.map(({ event_id }) => event_id)
    .sort();

describe('counting a call once across batches', () => {
  const project = 1;
  const trace = 'ab'.repeat(16);
  const outer = span(trace, '1'.repeat(16), { buckets: tokens(9) });
  const inner = span(trace, '2'.repeat(16), {
    parent_span_id: outer.span_id,
    buckets: tokens(9),
    ts: NOON + 5,
  });

  test('a wrapper replaces a span that arrived tens of thousands of events earlier, after a restart', async () => {
    await ledger.record(project, [inner], { spans: true });
    expect(callsOf(project)).toEqual([inner.event_id]);
    for (let batch = 0; batch < 5; batch++) {
      const others = Array.from({ length: 4_000 }, () => makeEvent({ ts: NOON - HOUR }));
      await ledger.record(project, others, { spans: batch === 3 });
    }
    await ledger.reopen();
    await ledger.record(project, [outer], { spans: true });
    const wanted = {
      filters: {},
      calls: true,
      window: { from: NOON, to: NOON + HOUR },
      cursor: null,
      limit: 9,
    };
    const page = listEvents(ledger.reader(project), wanted);
    expect(page.events.map(({ event_id }) => event_id)).toEqual([outer.event_id]);
    expect(page.total).toBe(1);
    const all = listEvents(ledger.reader(project), { ...wanted, calls: false });
    expect(all.events.map(({ counted, cost_usd }) => [counted, cost_usd])).toEqual([
      [false, null],
      [true, 0.001],
    ]);
  });
});

function tokens(fresh: number): PricedEvent['buckets'] {
  return { fresh, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
}
