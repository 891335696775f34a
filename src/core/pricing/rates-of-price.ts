import type { AppliedPrice } from './applied-price.ts';
import type { BilledBucket, OverrideRates } from './contract.ts';

export type RateName = keyof OverrideRates;

/** The rate of a custom price that bills a bucket, and the rate that bills it if that one is missing. */
const RATE_OF: Readonly<Record<BilledBucket, { readonly name: RateName; readonly else?: BilledBucket }>> = {
  fresh: { name: 'input' },
  cacheRead: { name: 'cacheRead', else: 'fresh' },
  cacheWrite5m: { name: 'cacheWrite', else: 'fresh' },
  cacheWrite1h: { name: 'cacheWrite1h', else: 'cacheWrite5m' },
  output: { name: 'output' },
  reasoning: { name: 'reasoning', else: 'output' },
  audioInput: { name: 'audioInput', else: 'fresh' },
  imageInput: { name: 'imageInput', else: 'fresh' },
  videoInput: { name: 'videoInput', else: 'fresh' },
  audioCached: { name: 'audioCached', else: 'cacheRead' },
  imageCached: { name: 'imageCached', else: 'cacheRead' },
  audioOutput: { name: 'audioOutput', else: 'output' },
  imageOutput: { name: 'imageOutput', else: 'output' },
  videoOutput: { name: 'videoOutput', else: 'output' },
  citations: { name: 'citations' },
  audioSeconds: { name: 'perAudioHour' },
  pages: { name: 'perPage' },
  webSearch: { name: 'perSearch' },
  request: { name: 'perRequest' },
};

const PER_UNIT: ReadonlySet<BilledBucket> = new Set(['audioSeconds', 'pages', 'webSearch', 'request']);

/** The name that custom prices have for the rate of a bucket. */
export const rateOfBucket = (bucket: BilledBucket): RateName => RATE_OF[bucket].name;

/**
 * The rates of an applied price as a custom price states them, without those that only repeat the rate of another
 * bucket.
 */
export function ratesOfPrice(rates: AppliedPrice['rates']): OverrideRates {
  const found: { [K in RateName]?: number } = {};
  for (const [key, rate] of Object.entries(rates)) {
    const bucket = key as BilledBucket;
    const { name, else: other } = RATE_OF[bucket];
    if (other !== undefined && rates[other]?.key === rate.key && rates[other].usd === rate.usd) continue;
    found[name] = PER_UNIT.has(bucket) ? Number((rate.usd / 1e6).toPrecision(12)) : rate.usd;
  }
  return found;
}

/** The rates that quantities without a rate need, by the names that `Bill.unbilled` gives them. */
const RATE_OF_QUANTITY: Readonly<Record<string, RateName>> = {
  'audio input': 'audioInput',
  'image input': 'imageInput',
  'video input': 'videoInput',
  'cached audio': 'audioCached',
  'cached images': 'imageCached',
  'audio output': 'audioOutput',
  'image output': 'imageOutput',
  'video output': 'videoOutput',
  'seconds of audio': 'perAudioHour',
  pages: 'perPage',
  'citation tokens': 'citations',
  'web searches': 'perSearch',
};

/** The rates that a price lacks for the named quantities. Counts that no rate can bill have none. */
export const ratesFor = (unbilled: readonly string[]): RateName[] =>
  unbilled.flatMap((name) => RATE_OF_QUANTITY[name] ?? []);
