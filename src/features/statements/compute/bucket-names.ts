import type { BilledBucket } from '../../../core/pricing/contract.ts';

/** Names of what is billed, as they follow a model on a line. */
export const BUCKET_NAMES: Readonly<Record<BilledBucket, string>> = {
  fresh: 'input tokens',
  cacheRead: 'input tokens read from a cache',
  cacheWrite5m: 'input tokens written to a cache for 5 minutes',
  cacheWrite1h: 'input tokens written to a cache for 1 hour',
  output: 'output tokens',
  reasoning: 'reasoning tokens',
  audioInput: 'audio input tokens',
  imageInput: 'image input tokens',
  videoInput: 'video input tokens',
  audioCached: 'cached audio tokens',
  imageCached: 'cached image tokens',
  audioOutput: 'audio output tokens',
  imageOutput: 'image output tokens',
  videoOutput: 'video output tokens',
  audioSeconds: 'seconds of audio',
  pages: 'pages',
  citations: 'citation tokens',
  webSearch: 'web searches',
  request: 'requests',
};
