import { describe, expect, test } from 'bun:test';
import { calcPrice } from '@pydantic/genai-prices';
import { type EventInput, eventInputSchema } from '../../../src/core/events/input/contract.ts';
import { generateDemo } from '../../../src/features/demo/generate.ts';
import { DAY_MS, DEMO_STORY } from '../../../src/features/demo/story.ts';

const NOW = Date.parse('2026-11-20T15:20:00Z');
const month = [...generateDemo({ now: NOW })].flat();

const startOf = (event: EventInput): number => Date.parse(event.timestamp ?? '');
const endOf = (event: EventInput): number => startOf(event) + (event.latency_ms ?? Number.NaN);

describe('generateDemo', () => {
  test('gives the same events for the same seed and others for another', () => {
    expect([...generateDemo({ now: NOW })].flat()).toEqual(month);
    const other = [...generateDemo({ now: NOW, seed: 2 })].flat();
    const ids = new Set(month.map((event) => event.event_id));
    expect(other.filter((event) => ids.has(event.event_id))).toEqual([]);
  });

  test('yields full batches of 100 events and one smaller at the end', () => {
    const sizes = [...generateDemo({ now: NOW, days: 3 })].map((batch) => batch.length);
    expect(sizes.slice(0, -1).every((size) => size === 100)).toBe(true);
    expect(sizes.at(-1)).toBeGreaterThan(0);
    expect(sizes.at(-1)).toBeLessThanOrEqual(100);
  });

  test('makes 12,000 to 20,000 events a month, and more or fewer by scale', () => {
    expect(month.length).toBeGreaterThan(12_000);
    expect(month.length).toBeLessThan(20_000);
    const half = [...generateDemo({ now: NOW, scale: 0.5 })].flat().length;
    expect(half / month.length).toBeCloseTo(0.5, 1);
  });

  test('makes only events that the wire contract accepts, without null or undefined fields', () => {
    const invalid = month.filter((event) => !eventInputSchema.safeParse(event).success);
    expect(invalid).toEqual([]);
    expect(month.filter((event) => Object.values(event).some((value) => value == null))).toEqual([]);
    const known = Object.keys(eventInputSchema.shape);
    const unknown = month.flatMap((event) => Object.keys(event).filter((key) => !known.includes(key)));
    expect([...new Set(unknown)]).toEqual([]);
  });

  test('gives each event its own id, hex trace and span ids, and a call its model', () => {
    expect(new Set(month.map((event) => event.event_id)).size).toBe(month.length);
    expect(new Set(month.map((event) => event.span_id)).size).toBe(month.length);
    expect(month.filter((event) => !/^[0-9a-f]{32}$/.test(event.trace_id ?? ''))).toEqual([]);
    expect(month.filter((event) => !/^[0-9a-f]{16}$/.test(event.span_id ?? ''))).toEqual([]);
    const calls = month.filter((event) => event.kind === 'llm' || event.kind === 'embedding');
    expect(calls.filter((event) => !event.model || !event.provider)).toEqual([]);
  });

  test('puts parents into the same trace and before their children, who lie inside their time', () => {
    const spans = new Map<string | null | undefined, EventInput>();
    for (const event of month) {
      if (event.parent_span_id !== undefined) {
        const parent = spans.get(event.parent_span_id);
        expect(parent?.trace_id).toBe(event.trace_id);
        if (parent === undefined) continue;
        expect(startOf(event)).toBeGreaterThanOrEqual(startOf(parent));
        expect(endOf(event)).toBeLessThanOrEqual(endOf(parent));
      }
      spans.set(event.span_id, event);
    }
  });

  test('counts tokens in disjoint parts, and visible answers take time', () => {
    for (const event of month) {
      const { input_tokens: input, output_tokens: output } = event;
      expect((event.cached_input_tokens ?? 0) + (event.cache_write_tokens ?? 0)).toBeLessThanOrEqual(
        input ?? 0,
      );
      expect(event.reasoning_tokens ?? 0).toBeLessThanOrEqual(output ?? 0);
      if (event.ttft_ms !== undefined) expect(event.ttft_ms).toBeLessThanOrEqual(event.latency_ms ?? 0);
    }
  });

  test('says why each failed event failed, and nothing of the kind about the others', () => {
    const failed = month.filter((event) => event.status !== 'success');
    expect(failed.filter((event) => !event.error_code || !event.error_message)).toEqual([]);
    expect(month.filter((event) => event.status === 'success' && event.error_code)).toEqual([]);
  });

  test('uses only models that the price catalogue knows, but for the one of the story', () => {
    const models = new Map(month.map((event) => [event.model, event.provider]));
    const unknown = [...models].filter(
      ([model, provider]) => model && !calcPrice({ input_tokens: 1 }, model, { providerId: provider ?? '' }),
    );
    expect(unknown).toEqual([[DEMO_STORY.unpricedModel.model, DEMO_STORY.unpricedModel.provider]]);
  });
});

describe.each([
  ['in the afternoon of a working day', '2026-11-20T15:20:00.123Z', 30],
  ['just after midnight of a Sunday', '2026-11-22T00:00:20Z', 30],
  ['in the last millisecond of a day', '2026-03-02T23:59:59.999Z', 30],
  ['for a single day', '2028-02-29T04:00:00Z', 1],
  ['for a quarter', '2026-11-20T15:20:00Z', 90],
])('generateDemo %s', (_, iso, days) => {
  const now = Date.parse(iso);
  const events = [...generateDemo({ now, days, scale: 0.3 })].flat();

  test('is ordered by time and stays inside the days asked for', () => {
    const times = events.map(startOf);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(now - days * DAY_MS);
    expect(times[0]).toBeLessThan(now - (days - 0.5) * DAY_MS);
  });

  test('reaches into the last minute, and nothing ends after now', () => {
    expect(events.map(startOf).at(-1)).toBeGreaterThan(now - 60_000);
    expect(events.filter((event) => !(endOf(event) <= now))).toEqual([]);
  });
});
