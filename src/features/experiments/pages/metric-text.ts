import { durationText, moneyText, percentText } from '../../../lib/figures.ts';
import type { Metric } from '../contract.ts';

/** A value of a metric as people read it. */
export function metricText(kind: Metric['kind'], value: number): string {
  if (kind === 'cost') return moneyText(value);
  if (kind === 'latency') return durationText(value);
  return kind === 'failures' ? percentText(value) : String(Number(value.toFixed(3)));
}
