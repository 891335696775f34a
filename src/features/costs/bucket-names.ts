import type { Explanation } from './contract.ts';

/** Names of the usage buckets, in the order in which they are priced. */
export const BUCKETS: Readonly<Record<Explanation['lines'][number]['bucket'], string>> = {
  fresh: 'Fresh input',
  cacheRead: 'Cache read',
  cacheWrite5m: 'Cache write, 5 min',
  cacheWrite1h: 'Cache write, 1 h',
  output: 'Output',
  reasoning: 'Reasoning',
  audioInput: 'Audio input',
  imageInput: 'Image input',
  videoInput: 'Video input',
  audioCached: 'Cached audio',
  imageCached: 'Cached images',
  audioOutput: 'Audio output',
  imageOutput: 'Image output',
  videoOutput: 'Video output',
  audioSeconds: 'Seconds of audio',
  pages: 'Pages',
  citations: 'Citations',
  webSearch: 'Web searches',
  request: 'Per request',
};
