import type { Kpi } from '../../../dashboard/ui/kpis.tsx';

type Latencies = { readonly latencyP50: number | null; readonly latencyP95: number | null };

/** The median and p95 latency in milliseconds; missing without calls that have one. */
export const latencyKpis = ({ latencyP50, latencyP95 }: Latencies): Kpi[] => [
  latencyKpi('p50', 'Median latency', latencyP50),
  latencyKpi('p95', 'p95 latency', latencyP95),
];

const latencyKpi = (id: string, label: string, ms: number | null): Kpi => ({
  id,
  label,
  kind: 'duration',
  value: ms ?? 0,
  missing: ms === null,
});
