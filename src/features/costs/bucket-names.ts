import type { Explanation } from './contract.ts';

/** What usage is told apart by, in the order in which it is priced. */
export const BUCKETS: Readonly<Record<Explanation['lines'][number]['bucket'], string>> = {
  fresh: 'Fresh input',
  cacheRead: 'Read from cache',
  cacheWrite5m: 'Written to cache, 5 min',
  cacheWrite1h: 'Written to cache, 1 h',
  output: 'Output',
  reasoning: 'Reasoning',
  audioInput: 'Audio input',
  audioOutput: 'Audio output',
  webSearch: 'Web searches',
  request: 'Per request',
};
