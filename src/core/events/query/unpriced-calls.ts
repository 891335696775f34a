import type { EventMeasure, MetricMeasure, MetricsReply } from './contract.ts';

/** Measures to which only calls with a known price contribute. */
const COSTS: ReadonlySet<EventMeasure> = new Set(['cost', 'costAvg']);

const COUNTS = ['unpriced', 'requests'] as const satisfies MetricMeasure[];

/** What is read after measures with a cost, so that every reply says how many calls the cost leaves out. */
export const countsAfter = (measures: readonly EventMeasure[]): readonly (typeof COUNTS)[number][] =>
  measures.some((name) => COSTS.has(name)) ? COUNTS : [];

/** The counts of a group whose values are those of the measures and `countsAfter`; nothing without a cost. */
export function unpricedCalls(
  measures: readonly EventMeasure[],
  values: readonly (number | null)[],
): Pick<MetricsReply['total'], 'unpriced' | 'calls'> {
  if (countsAfter(measures).length === 0) return {};
  const [unpriced, calls] = values.slice(measures.length);
  return { unpriced: unpriced ?? 0, calls: calls ?? 0 };
}

/** The same of the steps. */
export const unpricedSeries = (
  measures: readonly EventMeasure[],
  series: readonly (readonly (number | null)[])[] | undefined,
): Pick<MetricsReply['total'], 'unpricedSeries'> =>
  series === undefined || countsAfter(measures).length === 0
    ? {}
    : { unpricedSeries: (series[measures.length] ?? []).map((count) => count ?? 0) };
