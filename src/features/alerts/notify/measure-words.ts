import type { AlertMeasure } from '../contract.ts';

type Unit = 'USD' | 'fraction' | 'ms' | 'tokens' | 'tokens/s' | 'calls';

/** The unit of a measure, by its name. */
export function measureUnit(measure: AlertMeasure): Unit {
  if (measure.startsWith('cost')) return 'USD';
  if (measure.endsWith('Rate')) return 'fraction';
  if (measure === 'tokensPerSec') return 'tokens/s';
  if (/tokens/i.test(measure)) return 'tokens';
  return /^(latency|ttft)(Avg|P)/.test(measure) ? 'ms' : 'calls';
}

/** Parts of names that are not words. */
const WORDS: Readonly<Record<string, string>> = { ttft: 'time to first token', rateLimited: 'rate-limited' };

/** A measure in words, such as `average input tokens` or `latency p99`. */
export function measureWords(measure: AlertMeasure): string {
  const [, name = '', ending = ''] = /^(.*?)(Avg|P\d\d|Rate)?$/.exec(measure) ?? [];
  const words = WORDS[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return ending === 'Avg' ? `average ${words}` : `${words} ${ending.toLowerCase()}`.trim();
}
