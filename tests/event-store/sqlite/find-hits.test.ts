import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { PricedEvent } from '../../../src/core/events/event.ts';
import type { Chunk, ChunkRef } from '../../../src/core/events/stores/sqlite/scan/chunk.ts';
import { findHits, positionOf } from '../../../src/core/events/stores/sqlite/scan/find-hits.ts';
import { createRandom } from '../../helpers/random.ts';
import { makeEvent, NOON } from '../support/make-event.ts';
import { packed, sealed } from './make-chunk.ts';

/** Chunks whose times overlap, some of them sealed; noted when they are opened. */
function chunksOf(events: readonly PricedEvent[], random: () => number, opened: Set<ChunkRef>): ChunkRef[] {
  const parts = Object.values(Object.groupBy(events, ({ ts }) => Math.floor(ts / 40 + random() * 3)));
  return parts.map((part = [], i): ChunkRef => {
    const isSegment = random() < 0.5;
    const chunk = isSegment ? sealed([packed(part)]) : packed(part);
    const { project, first, last } = chunk;
    const ref: ChunkRef = {
      project,
      segment: isSegment ? i : null,
      events: chunk.events,
      first,
      last,
      open() {
        opened.add(ref);
        return chunk;
      },
    };
    return ref;
  });
}

test('pages of any size over chunks that overlap hold each wanted event once and in order', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('newest' as const, 'oldest' as const),
      (seed, limit, order) => {
        const random = createRandom(seed);
        // Many share a millisecond, so that ids decide their order.
        const events = Array.from({ length: 120 }, () =>
          makeEvent({ ts: NOON + Math.floor(random() * 200) }),
        );
        const chunks = chunksOf(events, random, new Set());
        const isWanted = (ts: number): boolean => ts % 3 !== 0;
        const mask = (chunk: Chunk): Uint8Array =>
          Uint8Array.from(chunk.numbers('ts'), (ts) => Number(isWanted(ts)));
        const sign = order === 'newest' ? -1 : 1;
        const expected = events
          .filter(({ ts }) => isWanted(ts))
          .map(({ ts, event_id: id }) => ({ ts, id }))
          .sort((a, b) => sign * (a.ts - b.ts || (a.id < b.id ? -1 : 1)));
        const found: { ts: number; id: string }[] = [];
        for (;;) {
          const page = findHits(chunks, mask, { order, after: found.at(-1) ?? null, limit });
          found.push(...page.map(positionOf));
          if (page.length < limit) break;
        }
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

test('a page opens only chunks that can contain its events', () => {
  const events = Array.from({ length: 400 }, (_, i) => makeEvent({ ts: NOON + i * 10 }));
  const opened = new Set<ChunkRef>();
  const chunks = chunksOf(events, createRandom(1), opened);
  const all = (chunk: Chunk): Uint8Array => chunk.present();
  const hits = findHits(chunks, all, { order: 'newest', after: null, limit: 5 });
  const end = hits.at(-1)?.ts ?? 0;
  expect(hits.map(({ ts }) => ts)).toEqual([399, 398, 397, 396, 395].map((i) => NOON + i * 10));
  expect([...opened].every(({ last }) => last >= end)).toBeTrue();
  expect(opened.size).toBeLessThan(chunks.length / 4);
});
