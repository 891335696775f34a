import type { RawUsage } from './raw-usage.ts';

/** Names of quantities that providers bill by. */
const COUNT =
  /(?:tokens?|token_?count|requests|searches|queries|sources_used|units|seconds|minutes|hours|characters|pages|images|frames)$/i;

/** Counts that are read, are included in others or are free (web fetches: Anthropic, "no additional charges"). */
const KNOWN: ReadonlySet<string> = new Set(
  `prompt_tokens completion_tokens total_tokens input_tokens output_tokens cached_tokens cache_write_tokens
   reasoning_tokens thinking_tokens text_tokens audio_tokens image_tokens video_tokens accepted_prediction_tokens
   rejected_prediction_tokens prompt_cache_hit_tokens prompt_cache_miss_tokens cache_read_input_tokens
   cache_creation_input_tokens ephemeral_5m_input_tokens ephemeral_1h_input_tokens web_search_requests
   web_fetch_requests promptTokenCount candidatesTokenCount responseTokenCount totalTokenCount thoughtsTokenCount
   cachedContentTokenCount toolUsePromptTokenCount initialPromptTokenCount tokenCount promptTokens completionTokens inputTokens outputTokens
   totalTokens cachedInputTokens reasoningTokens textTokens noCacheTokens cacheReadTokens cacheWriteTokens
   cacheReadInputTokens cacheWriteInputTokens citation_tokens num_search_queries seconds prompt_audio_seconds
   input_cached_tokens output_reasoning_tokens output_accepted_prediction_tokens output_rejected_prediction_tokens`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

const MODALITIES: ReadonlySet<string> = new Set([
  'text',
  'audio',
  'image',
  'video',
  'document',
  'modality_unspecified',
]);

const MOST_NAMES = 5;
const DEPTH = 4;

/**
 * Names of the counts in a usage object that pricing does not read, at most five. A call with such a count may cost more
 * than its price says.
 */
export function unreadCounts(usage: RawUsage): string[] {
  const found = new Set<string>();
  const visit = (value: unknown, name: string, depth: number): void => {
    if (found.size >= MOST_NAMES || depth > DEPTH) return;
    if (typeof value === 'number') {
      if (value > 0 && COUNT.test(name) && !KNOWN.has(name)) found.add(name.slice(0, 60));
    } else if (Array.isArray(value)) {
      for (const entry of value.slice(0, 20)) visit(entry, name, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      const { modality } = value as RawUsage;
      if (typeof modality === 'string' && !MODALITIES.has(modality.toLowerCase()))
        found.add(`modality ${modality.slice(0, 40)}`);
      for (const [key, inner] of Object.entries(value).slice(0, 60)) visit(inner, key, depth + 1);
    }
  };
  visit(usage, '', 0);
  return [...found];
}
