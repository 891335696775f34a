import { expect } from 'bun:test';
import fc from 'fast-check';
import type { Measure } from '../../../src/core/events/measures.ts';
import type { Window } from '../../../src/core/events/selection.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import { BUCKET_LENGTHS, type BucketName } from '../../../src/lib/time-buckets.ts';
import type { SentEvent } from './random-events.ts';
import { measureAll } from './recount.ts';

/** Clocks change on 4 October (Lord Howe, by half an hour), on the 25th (Berlin) and on 1 November (New York). */
export const FROM = Date.UTC(2026, 9, 2);
export const TO = Date.UTC(2026, 10, 4);
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];
export const BUCKETS = Object.keys(BUCKET_LENGTHS) as BucketName[];

const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    }),
  ]),
);

/** What the bucket of a time is called, by the clock of its zone: two times have the same name if they share it. */
export function nameOf(ts: number, bucket: BucketName, timeZone: string): string {
  const ms = BUCKET_LENGTHS[bucket];
  if (ms <= HOUR_MS) return String(Math.floor(ts / ms));
  const parts = Object.fromEntries(
    (formats.get(timeZone) as Intl.DateTimeFormat)
      .formatToParts(ts)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const day = Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day) / DAY_MS;
  if (bucket === '1w') return `week ${Math.floor((day + 3) / 7)}`;
  return `${day} ${Math.floor((parts.hour ?? 0) / (ms / HOUR_MS))}`;
}

const anInstant = fc.oneof(
  fc.integer({ min: FROM - DAY_MS, max: TO + DAY_MS }),
  fc.integer({ min: -48, max: 2 * 24 * 35 }).map((halves) => FROM + halves * 30 * MINUTE_MS),
);
/** Any window around the events; many begin or end with a half hour. */
export const aWindow: fc.Arbitrary<Window> = fc
  .tuple(anInstant, anInstant)
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

type Figures = ReturnType<typeof measureAll>;

const recounted = new WeakMap<readonly SentEvent[], Figures>();

/** The measures of a list, which is asked for some of them one after the other. */
function recountOnce(calls: readonly SentEvent[]): Figures {
  const known = recounted.get(calls) ?? measureAll(calls);
  recounted.set(calls, known);
  return known;
}

/** A measure of some calls; null if they do not tell it. */
export function figureOf(name: Measure, calls: readonly SentEvent[]): number | null {
  return isKnown(name, calls) ? recountOnce(calls)[name] : null;
}

function isKnown(name: Measure, calls: readonly SentEvent[]): boolean {
  const isPriced = calls.some(({ cost_status }) => cost_status !== 'unpriced');
  if (name === 'cost') return calls.length === 0 || isPriced;
  if (name === 'costAvg') return isPriced;
  if (/^latency(P|Avg)/.test(name)) return calls.some(({ latency_ms }) => latency_ms !== null);
  if (name.startsWith('ttft')) return calls.some(({ stream, ttft_ms }) => stream && ttft_ms !== null);
  if (name === 'cacheRate') return recountOnce(calls).inputTokens > 0;
  if (name === 'tokensPerSec') return recountOnce(calls).tokensPerSec > 0;
  return !/(Rate|Avg)$/.test(name) || calls.length > 0;
}

/** Expects the measures of some calls, each close to its recount; null where they tell none. */
export function expectFigures(
  names: readonly Measure[],
  calls: readonly SentEvent[],
  found: readonly (number | null)[],
): void {
  for (const [place, name] of names.entries()) {
    const wanted = figureOf(name, calls);
    const value = found[place] ?? null;
    // Millions are compared, most of them zeros.
    if (wanted === value) continue;
    if (wanted === null || value === null) expect([name, value]).toEqual([name, wanted]);
    else expect(value).toBeCloseTo(wanted, 8);
  }
}
