import { objectAt, type RawUsage, toCount } from './raw-usage.ts';

/** Quantities other than the buckets that affect a price. Counts are whole numbers; audio is part of the buckets. */
export type UsageExtras = {
  /** The provider's service tier that answered, in lower case; null for the usual one. */
  readonly serviceTier: string | null;
  readonly audioInput: number;
  readonly audioOutput: number;
  readonly webSearches: number;
};

/** Providers' names for the tier that the list price applies to. */
const USUAL_TIERS: ReadonlySet<string> = new Set([
  '',
  'auto',
  'default',
  'standard',
  'on-demand',
  'on_demand',
]);

/**
 * Reads the extras of a call: the tier from `service_tier` of the usage object or the metadata, audio from
 * OpenAI's `…_details.audio_tokens`, searches from Anthropic's `server_tool_use`. Null if there are none.
 */
export function usageExtras(usage: RawUsage | null, metadata: RawUsage | null): UsageExtras | null {
  const stated = usage?.service_tier ?? tierInMetadata(metadata);
  const tier = typeof stated === 'string' ? stated.trim().toLowerCase().slice(0, 40) : '';
  const serviceTier = USUAL_TIERS.has(tier) ? null : tier;
  const audioInput = usage === null ? 0 : audioOf(usage, 'prompt_tokens', 'input_tokens', 'input_token');
  const audioOutput =
    usage === null ? 0 : audioOf(usage, 'completion_tokens', 'output_tokens', 'output_token');
  const webSearches = usage === null ? 0 : toCount(objectAt(usage, 'server_tool_use').web_search_requests);
  if (serviceTier === null && audioInput + audioOutput + webSearches === 0) return null;
  return { serviceTier, audioInput, audioOutput, webSearches };
}

/** Metadata keys in which OpenTelemetry clients and unknown event fields report the tier. */
const TIER_KEYS = [
  'service_tier',
  'openai.response.service_tier',
  'gen_ai.openai.response.service_tier',
] as const;

function tierInMetadata(metadata: RawUsage | null): unknown {
  if (metadata === null) return undefined;
  for (const key of TIER_KEYS) if (metadata[key] !== undefined) return metadata[key];
  return undefined;
}

function audioOf(usage: RawUsage, ...names: readonly string[]): number {
  for (const name of names) {
    const count = toCount(objectAt(usage, `${name}_details`).audio_tokens);
    if (count > 0) return count;
  }
  return 0;
}
