import { formatInstant } from '../../../../../lib/time.ts';
import type { EventSums } from '../../../contract.ts';
import { toMicros } from '../../shared/traces/to-micros.ts';
import { FLAG } from '../columns.ts';
import { adderOf, createSums, S } from '../scan/call-sums.ts';
import type { Chunk } from '../scan/chunk.ts';
import { pickPlaces } from '../scan/pick-places.ts';

/** Adds up events: failures of any kind, everything else of calls. */
export type EventTotals = {
  add(chunk: Chunk, places: readonly number[]): void;
  /** Only after at least one event was added. */
  sums(): EventSums;
};

export function createTotals(): EventTotals {
  const all = createSums();
  const calls = createSums();
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return {
    add(chunk, places) {
      const events = pickPlaces(chunk, places);
      const [times, latencies, flags] = [
        events.numbers('ts'),
        events.numbers('latency_ms'),
        events.bytes('flags'),
      ];
      const addTo = adderOf(events);
      for (let i = 0; i < places.length; i++) {
        const ts = times[i] as number;
        const latency = latencies[i] as number;
        start = Math.min(start, ts);
        end = Math.max(end, ts + (Number.isNaN(latency) ? 0 : latency));
        addTo(all, i);
        if (((flags[i] as number) & FLAG.call) !== 0) addTo(calls, i);
      }
    },
    sums: () => ({
      start: formatInstant(start),
      end: formatInstant(end),
      duration_ms: toMicros(end - start),
      spans: all[S.requests] as number,
      llm_calls: calls[S.requests] as number,
      errors: all[S.errors] as number,
      cost_usd: (calls[S.cost_nano] as number) / 1e9,
      unpriced: calls[S.unpriced] as number,
      input_tokens: calls[S.input_tokens] as number,
      output_tokens: calls[S.output_tokens] as number,
    }),
  };
}
