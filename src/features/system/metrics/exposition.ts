import { DURATION_BOUNDS, type DurationCounts } from '../../../lib/stats/durations.ts';

type Labels = Readonly<Record<string, string>>;
type Sample<V> = readonly [labels: Labels, value: V];

/** One metric with its samples. A value that is null is left out. */
export type Metric = { readonly name: string; readonly help: string } & (
  | { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample<number | null>[] }
  | { readonly type: 'histogram'; readonly samples: readonly Sample<DurationCounts>[] }
);

/** The text that Prometheus reads (text format 0.0.4). */
export const exposition = (metrics: readonly Metric[]): string => `${metrics.flatMap(linesOf).join('\n')}\n`;

function linesOf(metric: Metric): string[] {
  const lines =
    metric.type === 'histogram'
      ? metric.samples.flatMap(([labels, counts]) => histogramLines(metric.name, labels, counts))
      : metric.samples.flatMap(([labels, value]) =>
          value === null ? [] : [`${metric.name}${labelText(labels)} ${valueText(value)}`],
        );
  if (lines.length === 0) return [];
  return [`# HELP ${metric.name} ${metric.help}`, `# TYPE ${metric.name} ${metric.type}`, ...lines];
}

function histogramLines(name: string, labels: Labels, { bins, count, seconds }: DurationCounts): string[] {
  let total = 0;
  const buckets = [...DURATION_BOUNDS.map(String), '+Inf'].map((le, bin) => {
    total += bins[bin] ?? 0;
    return `${name}_bucket${labelText({ ...labels, le })} ${total}`;
  });
  return [
    ...buckets,
    `${name}_sum${labelText(labels)} ${valueText(seconds)}`,
    `${name}_count${labelText(labels)} ${count}`,
  ];
}

const valueText = (value: number): string =>
  Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN';

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (value: string): string =>
  value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
