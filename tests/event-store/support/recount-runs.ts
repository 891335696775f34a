import { RUN_MEASURES, type RunMeasure } from '../../../src/core/events/query/contract.ts';
import type { Window } from '../../../src/core/events/selection.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import type { SentEvent } from './random-events.ts';
import { isFailure, sum } from './recount.ts';
import type { LinkedEvent } from './recount-links.ts';

export const RUN_MEASURE_NAMES = Object.keys(RUN_MEASURES) as RunMeasure[];

/** A run: the span that stands for it, its outermost agent, and the calls of models in it. */
export type CountedRun = {
  readonly head: SentEvent;
  readonly agent: string;
  readonly release: string | null;
  /** That of the outermost agent. */
  readonly agentVersion: string | null;
  readonly calls: readonly SentEvent[];
};

const hourOf = ({ ts }: SentEvent): number => Math.floor(ts / HOUR_MS);

/** The runs that began in a window, run by run. Calls long after their start do not belong to them, by whole hours. */
export function runsIn(links: readonly LinkedEvent[], { from, to }: Window): CountedRun[] {
  return links.flatMap(({ event: head, root, head: isHead, release, rootVersion }) => {
    if (!isHead || root === null || head.ts < from || head.ts >= to) return [];
    const calls = links.filter(
      ({ kind, event, root: of }) =>
        kind === 'model' &&
        of === root &&
        event.trace_id === head.trace_id &&
        hourOf(event) >= hourOf(head) - 1 &&
        hourOf(event) <= hourOf(head) + 24,
    );
    return [
      { head, agent: root, release, agentVersion: rootVersion, calls: calls.map(({ event }) => event) },
    ];
  });
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const rank = (values: readonly number[], q: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.ceil(q * values.length) - 1] ?? null;

/** The values of all measures of runs, in their order. */
export function runFigures(runs: readonly CountedRun[]): (number | null)[] {
  const known = runs.filter(
    ({ calls }) => calls.length === 0 || calls.some(({ cost_status }) => cost_status !== 'unpriced'),
  );
  const costs = known.map(({ calls }) => sum(calls.map(({ cost_nano }) => cost_nano ?? 0)));
  const failed = runs.filter(({ head }) => isFailure(head)).length;
  const latencies = runs.flatMap(({ head: { latency_ms } }) => latency_ms ?? []);
  const usd = (nano: number | null): number | null => (nano === null ? null : nano / 1e9);
  const values: Record<RunMeasure, number | null> = {
    runs: runs.length,
    failedRuns: failed,
    runErrorRate: share(failed, runs.length),
    runCost: runs.length > 0 && known.length === 0 ? null : sum(costs) / 1e9,
    runCostAvg: share(sum(costs) / 1e9, known.length),
    runCostP50: usd(rank(costs, 0.5)),
    runCostP95: usd(rank(costs, 0.95)),
    runCostPerSuccess: share(sum(costs) / 1e9, known.filter(({ head }) => !isFailure(head)).length),
    runLatencyAvg: share(sum(latencies), latencies.length),
    runLatencyP95: rank(latencies, 0.95),
  };
  return RUN_MEASURE_NAMES.map((name) => values[name]);
}

/** The sums of runs in the order of `RUN_SUMS`, but the last. */
export function runSums(runs: readonly CountedRun[]): number[] {
  const known = runs.filter(
    ({ calls }) => calls.length === 0 || calls.some(({ cost_status }) => cost_status !== 'unpriced'),
  );
  const latencies = runs.flatMap(({ head: { latency_ms } }) => latency_ms ?? []);
  return [
    runs.length,
    runs.filter(({ head }) => isFailure(head)).length,
    known.length,
    known.filter(({ head }) => !isFailure(head)).length,
    runs.filter(({ calls }) => calls.some(({ cost_status }) => cost_status === 'unpriced')).length,
    sum(known.flatMap(({ calls }) => calls.map(({ cost_nano }) => cost_nano ?? 0))),
    latencies.length,
    sum(latencies.map((latency) => Math.round(latency * 1000))),
  ];
}
