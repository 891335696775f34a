import { isScoreMeasure, parseScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { AlertMeasure } from '../contract.ts';

type Unit = 'USD' | 'fraction' | 'ms' | 'tokens' | 'tokens/s' | 'calls' | 'checks' | 'score' | 'scores';

/** The unit of a measure, by its name. */
export function measureUnit(measure: AlertMeasure): Unit {
  if (isScoreMeasure(measure)) {
    const { isCount, category } = parseScoreMeasure(measure);
    return isCount ? 'scores' : category === null ? 'score' : 'fraction';
  }
  if (measure.startsWith('cost')) return 'USD';
  if (measure.endsWith('Rate')) return 'fraction';
  if (measure === 'tokensPerSec') return 'tokens/s';
  if (/tokens/i.test(measure)) return 'tokens';
  if (measure.startsWith('guardrail')) return 'checks';
  return /^(latency|ttft)(Avg|P)/.test(measure) ? 'ms' : 'calls';
}
