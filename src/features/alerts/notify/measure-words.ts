import { isScoreMeasure, parseScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { AlertMeasure } from '../contract.ts';

type Unit =
  | 'USD'
  | 'fraction'
  | 'ms'
  | 'tokens'
  | 'tokens/s'
  | 'calls'
  | 'runs'
  | 'checks'
  | 'score'
  | 'scores';

/** Whether a measure is of agents' runs, by its name. */
export const isOfRuns = (measure: string): boolean => /^(run[A-Z]|runs$|failedRuns$)/.test(measure);

/** The unit of a measure, by its name. */
export function measureUnit(measure: AlertMeasure): Unit {
  if (isScoreMeasure(measure)) {
    const { isCount, category } = parseScoreMeasure(measure);
    return isCount ? 'scores' : category === null ? 'score' : 'fraction';
  }
  if (/^(cost|runCost)/.test(measure)) return 'USD';
  if (measure.endsWith('Rate')) return 'fraction';
  if (measure === 'runs' || measure === 'failedRuns') return 'runs';
  if (measure === 'tokensPerSec') return 'tokens/s';
  if (/tokens/i.test(measure)) return 'tokens';
  if (measure.startsWith('guardrail')) return 'checks';
  return /^(latency|ttft|runLatency)(Avg|P)/.test(measure) ? 'ms' : 'calls';
}
