import { isScoreMeasure, parseScoreMeasure, type ScoreMeasure } from './score-measures.ts';

/** Parts of names that are not words. */
const WORDS: Readonly<Record<string, string>> = {
  ttft: 'time to first token',
  rateLimited: 'rate-limited',
  runCost: 'cost of runs',
  runCostPerSuccess: 'cost per successful run',
  runLatency: 'latency of runs',
  runError: 'failed runs',
};

/** A measure in words, such as `average input tokens` or `latency p99`. */
export function measureWords(measure: string): string {
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
