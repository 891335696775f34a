import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { PricedEvent } from '../../../../../../src/core/events/event.ts';
import { findEvent } from '../../../../../../src/core/events/stores/sqlite/queries/find-event.ts';
import { makeEvent, NOON } from '../../../../../event-store/make-event.ts';
import { type Ledger, openLedger } from '../../../ledger.ts';

const DAY = 86_400_000;
const EVENTS = 600;
let ledger: Ledger;
let events: PricedEvent[];

/** Random ids, counted ones and ids with a time that is not the event's. */
const idOf = (i: number): string =>
  i % 3 === 0
    ? crypto.randomUUID()
    : i % 3 === 1
      ? `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`
      : Bun.randomUUIDv7('hex', NOON + i);

beforeAll(async () => {
  ledger = await openLedger(2);
  events = Array.from({ length: EVENTS }, (_, i) =>
    makeEvent({ event_id: idOf(i), ts: NOON - Math.floor(((i * 7) % EVENTS) * (DAY / 30)), cost_nano: i }),
  );
  for (let at = 0; at < EVENTS; at += 50) {
    await ledger.record(1, events.slice(at, at + 50));
    // The last ones stay open, as the newest events of a project are.
    if (at < EVENTS - 150 && at % 100 === 50) await ledger.seal(1);
    if (at === 300) await ledger.reopen();
  }
});
afterAll(() => ledger.close());

test('any event is found by its id alone, sealed or not, and with its time', () => {
  const reader = ledger.reader(1);
  expect(reader.rows('SELECT count(*) FROM event_filters')[0]?.[0]).toBeGreaterThan(3);
  for (const { event_id, ts, cost_nano } of events) {
    expect(findEvent(reader, event_id, null)?.costNano).toBe(cost_nano);
    expect(findEvent(reader, event_id, ts)?.event.event_id).toBe(event_id);
  }
});

test('an unknown id and an id of another project are not found', () => {
  for (let i = 0; i < 100; i++) expect(findEvent(ledger.reader(1), crypto.randomUUID(), null)).toBeNull();
  for (const { event_id } of events.slice(0, 50))
    expect(findEvent(ledger.reader(2), event_id, null)).toBeNull();
});

test('filters have few false positives', async () => {
  const { addToBloom, createBloom, isInBloom, uuidHash } = await import(
    '../../../../../../src/core/events/stores/sqlite/rows/bloom.ts'
  );
  const bytes = (uuid: string): Uint8Array => Uint8Array.fromHex(uuid.replaceAll('-', ''));
  for (const make of [(): string => crypto.randomUUID(), (): string => Bun.randomUUIDv7()]) {
    const bits = createBloom();
    for (let i = 0; i < 8_192; i++) addToBloom(bits, uuidHash(bytes(make())));
    let passed = 0;
    for (let i = 0; i < 20_000; i++) if (isInBloom(bits, uuidHash(bytes(make())))) passed++;
    expect(passed).toBeLessThan(20_000 / 200);
  }
});
