import { isScoreMeasure, parseScoreMeasure, type ScoreMeasure } from '../../../lib/scores/score-measures.ts';
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

/** Parts of names that are not words. */
const WORDS: Readonly<Record<string, string>> = { ttft: 'time to first token', rateLimited: 'rate-limited' };

/** A measure in words, such as `average input tokens` or `latency p99`. */
export function measureWords(measure: AlertMeasure): string {
  if (isScoreMeasure(measure)) return scoreWords(measure);
  const [, name = '', ending = ''] = /^(.*?)(Avg|P\d\d|Rate)?$/.exec(measure) ?? [];
  const words = WORDS[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return ending === 'Avg' ? `average ${words}` : `${words} ${ending.toLowerCase()}`.trim();
}

function scoreWords(measure: ScoreMeasure): string {
  const { isCount, name, category } = parseScoreMeasure(measure);
  if (isCount) return `scores of ${name}${category === null ? '' : ` that are ${category}`}`;
  return category === null ? `average score of ${name}` : `share of ${name} that is ${category}`;
}
