import type { OverrideRates } from '../contract.ts';
import type { PricePack } from './pack.ts';

/** The name that custom prices use for a key of the catalogue, and the units of the catalogue's amount in one of ours. */
type RateName = { readonly name: keyof OverrideRates; readonly per: number };

const rate = (name: keyof OverrideRates, per = 1): RateName => ({ name, per });

/** The catalogue's keys that pricing reads. */
export const RATE_NAMES: Readonly<Record<string, RateName>> = {
  input_mtok: rate('input'),
  cache_read_mtok: rate('cacheRead'),
  cache_write_mtok: rate('cacheWrite'),
  cache_write_1h_mtok: rate('cacheWrite1h'),
  output_mtok: rate('output'),
  output_reasoning_mtok: rate('reasoning'),
  input_audio_mtok: rate('audioInput'),
  input_image_mtok: rate('imageInput'),
  input_video_mtok: rate('videoInput'),
  cache_audio_read_mtok: rate('audioCached'),
  cache_image_read_mtok: rate('imageCached'),
  output_audio_mtok: rate('audioOutput'),
  output_image_mtok: rate('imageOutput'),
  output_video_mtok: rate('videoOutput'),
  output_citation_mtok: rate('citations'),
  audio_hours: rate('perAudioHour'),
  input_audio_hours: rate('perAudioHour'),
  input_document_kpages: rate('perPage', 1_000),
  web_searches_kcount: rate('perSearch', 1_000),
  requests_kcount: rate('perRequest', 1_000),
};

/** The name of a rate, and its amount in our unit, without floating-point noise. */
export function namedRate(key: string, usd: number): { readonly rate: string; readonly usd: number } {
  const known = RATE_NAMES[key];
  if (known === undefined) return { rate: key, usd };
  return { rate: known.name, usd: Number((usd / known.per).toPrecision(12)) };
}

/** Keys of rates that this version does not read; a call that needs one is an estimate or has no price. */
export function unreadRates({ providers }: PricePack): string[] {
  const found = new Set<string>();
  for (const { models } of providers)
    for (const { prices } of models)
      for (const listed of Array.isArray(prices) ? prices.map((one) => one.prices) : [prices])
        for (const key of Object.keys(listed)) if (!(key in RATE_NAMES)) found.add(key);
  return [...found].sort();
}
