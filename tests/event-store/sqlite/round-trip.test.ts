import { describe, expect, test } from 'bun:test';
import type { Chunk } from '../../../src/core/events/stores/sqlite/scan/chunk.ts';
import { toEvent } from '../../../src/core/events/stores/sqlite/scan/to-event.ts';
import { TEST_SEED } from '../../helpers/random.ts';
import { makeEvent } from '../support/make-event.ts';
import { randomEvents } from '../support/random-events.ts';
import { packed, sealed } from './make-chunk.ts';

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

const eventsOf = (chunk: Chunk) =>
  Array.from({ length: chunk.events }, (_, place) => toEvent(chunk, place, (label) => `key ${label}`));

describe('batches and segments', () => {
  const events = [
    ...randomEvents(TEST_SEED, 700, START, START + DAY),
    makeEvent({ ts: START, prompt_hash: 'ab'.repeat(32), input: 'ü \u0000 𝄞 \ud800', error_message: '' }),
    makeEvent({ ts: START + 1, prompt_hash: 'not a hash', output: { text: 'x'.repeat(300_000) } }),
    makeEvent({
      ts: START + 2,
      trace_id: '',
      span_id: '__proto__',
      parent_span_id: 'é',
      prompt_hash: 'ab'.repeat(32),
    }),
  ];

  test('a batch keeps every field', () => {
    const found = eventsOf(packed(events));
    for (const [i, sent] of events.entries()) {
      const { key_id, ...event } = found[i] as (typeof found)[number];
      expect(event).toMatchObject({
        event_id: sent.event_id,
        trace_id: sent.trace_id,
        span_id: sent.span_id,
        parent_span_id: sent.parent_span_id,
        timestamp: new Date(sent.ts).toISOString(),
        input_tokens: sent.input_tokens,
        output_tokens: sent.output_tokens,
        latency_ms: sent.latency_ms,
        prompt_hash: sent.prompt_hash,
        tags: sent.tags ?? {},
        metadata: sent.metadata ?? {},
        error_message: sent.error_message,
        user_id: sent.user_id,
      });
      expect(event.input ?? null).toEqual(sent.input ?? null);
      expect(event.output ?? null).toEqual(sent.output ?? null);
    }
  });

  test('a segment keeps every field, in order of time and id', () => {
    const chunks = [packed(events.slice(0, 300)), packed(events.slice(300))];
    const sent = chunks.flatMap(eventsOf).map(({ key_id: _, ...event }) => event);
    const found = eventsOf(sealed(chunks)).map(({ key_id: _, ...event }) => event);
    const order = (a: (typeof sent)[number], b: (typeof sent)[number]) =>
      a.timestamp === b.timestamp ? (a.event_id < b.event_id ? -1 : 1) : a.timestamp < b.timestamp ? -1 : 1;
    expect(found).toEqual(sent.toSorted(order));
  });

  test('a segment of segments is the same', () => {
    const once = sealed([packed(events)]);
    expect(eventsOf(sealed([once]))).toEqual(eventsOf(once));
  });
});
