import type { EventInput } from '../../core/events/input/contract.ts';
import { createRandom, type Random } from './random.ts';
import type { Run, TimedEvent } from './run.ts';
import { DAY_MS, HOUR_MS } from './story.ts';
import { hoursBetween, trafficLevel } from './traffic.ts';
import { INDEX_HOUR, runNightlyIndex, runTriage, WORKLOADS } from './workloads.ts';

/** Options of `generateDemo`. */
export type DemoOptions = {
  /** The end of the demo data, epoch milliseconds: no event starts or ends after it. */
  readonly now: number;
  /** How many days the data goes back. Default 30; the story needs 25 days. */
  readonly days?: number;
  /** The same seed and `now` give the same events. Default 1. */
  readonly seed?: number;
  /** Multiplies the traffic; 1 gives about 17,000 events. Default 1. */
  readonly scale?: number;
};

/** Most events in a batch: the limit of `POST /v1/ingest`. */
const BATCH_SIZE = 100;
/** Embeddings of the nightly job at scale 1. */
const INDEX_CHUNKS = 30;
/** How long before `now` the last traces start, so that the newest minutes are never empty. */
const LAST_STARTS_MS = [280_000, 190_000, 120_000, 75_000, 40_000];

/**
 * Generates the traffic of a small company with a product assistant (the story is in `workloads.ts`). It is a pure
 * function of its options.
 *
 * @returns batches of at most 100 events in the order of their timestamps, oldest first. Events of a
 * trace may be spread over neighbouring batches. Batches are generated on demand.
 * @example
 * for (const batch of generateDemo({ now: Date.now() })) await recordCounted(ctx, scope, batch);
 */
export function* generateDemo(options: DemoOptions): Generator<EventInput[], void, undefined> {
  let batch: EventInput[] = [];
  for (const event of generateEvents(options)) {
    batch.push(event);
    if (batch.length === BATCH_SIZE) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Generates hour by hour: traces that start later cannot add events before the hour's end. */
function* generateEvents(options: DemoOptions): Generator<EventInput> {
  const { now, days = 30, seed = 1, scale = 1 } = options;
  const random = createRandom(seed);
  const start = now - days * DAY_MS;
  let pending = finished(lastRuns(random, now), now);
  for (const hour of hoursBetween(start, now)) {
    const runs = runsOfHour(random, { now, start, hour, scale });
    pending.push(...finished(runs, now));
    const isDue = ({ at }: TimedEvent): boolean => at < hour + HOUR_MS;
    yield* pending
      .filter(isDue)
      .sort((a, b) => a.at - b.at)
      .map(({ event }) => event);
    pending = pending.filter((timed) => !isDue(timed));
  }
}

function runsOfHour(
  random: Random,
  slot: { readonly now: number; readonly start: number; readonly hour: number; readonly scale: number },
): Run[] {
  const { now, start, hour, scale } = slot;
  const level = scale * trafficLevel(now, hour);
  const runs = WORKLOADS.flatMap((workload) => {
    const times = Array.from({ length: random.poisson(workload.perPeakHour * level) }, () =>
      Math.floor(hour + random.next() * HOUR_MS),
    );
    return times.flatMap((at) => (at < start || at >= now ? [] : workload.run({ random, now, at })));
  });
  if (new Date(hour).getUTCHours() === INDEX_HOUR && hour >= start) {
    runs.push(runNightlyIndex({ random, now, at: hour }, Math.max(1, Math.round(INDEX_CHUNKS * scale))));
  }
  return runs;
}

function lastRuns(random: Random, now: number): Run[] {
  return LAST_STARTS_MS.map((ago) => runTriage({ random, now, at: now - ago, calm: true }));
}

/** The events of the traces that have ended by `now`: a running trace is not reported yet. */
function finished(runs: readonly Run[], now: number): TimedEvent[] {
  return runs.filter((run) => run.at <= now).flatMap((run) => run.events);
}
