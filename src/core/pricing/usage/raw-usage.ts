/** A provider's own usage object from its reply. */
export type RawUsage = Readonly<Record<string, unknown>>;

/** Token counts as in the event's fields: input includes cache, output includes reasoning. */
export type TokenFields = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
};

/** Token counts of a usage object of a known form, as the provider defines them. */
export type RawCounts = {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
  /** True if `input` excludes `cached` and `written`. */
  readonly cacheApart: boolean;
  /** True if `output` excludes `reasoning`. */
  readonly reasoningApart: boolean;
};

/** Largest count (the same as for the event's own fields), so that totals stay exact. */
const MOST_TOKENS = 1_000_000_000;

/** A count from an untrusted value: a whole number from 0 to 10^9; anything else is 0. */
export function toCount(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0;
  return Math.min(Math.floor(value), MOST_TOKENS);
}

/** The object under a key of an untrusted object; an empty one if there is none. */
export function objectAt(usage: RawUsage, key: string): RawUsage {
  const value = usage[key];
  return typeof value === 'object' && value !== null ? (value as RawUsage) : {};
}

/** The first of several fields that is a number. */
function firstCount(...values: unknown[]): number {
  return toCount(values.find((value) => typeof value === 'number'));
}

/**
 * Whether the object's own total adds reasoning to the output. OpenAI-like replies include reasoning in the output; xAI's
 * do not ("counted separately from completion_tokens, but in total_tokens", docs.x.ai, Consumption).
 */
function totalAddsReasoning(
  total: unknown,
  counts: { input: number; output: number; reasoning: number },
): boolean {
  return counts.reasoning > 0 && total === counts.input + counts.output + counts.reasoning;
}

/**
 * Tokens that the usage object reports as written to a 1-hour cache: Anthropic's `cache_creation`, and Amazon Bedrock's
 * `cacheDetails` (API reference, CacheDetail).
 */
export function oneHourWrites(usage: RawUsage): number {
  const byAge = toCount(objectAt(usage, 'cache_creation').ephemeral_1h_input_tokens);
  if (byAge > 0 || !Array.isArray(usage.cacheDetails)) return byAge;
  const entries = usage.cacheDetails.slice(0, 20) as unknown[];
  return entries.reduce((sum: number, entry) => {
    const { ttl, inputTokens } = (entry ?? {}) as RawUsage;
    return sum + (ttl === '1h' ? toCount(inputTokens) : 0);
  }, 0);
}

/** OpenAI Chat Completions and compatible APIs: `prompt_tokens` includes cached tokens. */
function readChat(usage: RawUsage): RawCounts {
  const prompt = objectAt(usage, 'prompt_tokens_details');
  const counts = {
    input: toCount(usage.prompt_tokens),
    output: toCount(usage.completion_tokens),
    // In this order: OpenAI, Moonshot, DeepSeek, LiteLLM.
    cached: firstCount(
      prompt.cached_tokens,
      usage.cached_tokens,
      usage.prompt_cache_hit_tokens,
      usage.cache_read_input_tokens,
    ),
    written: firstCount(prompt.cache_write_tokens, usage.cache_creation_input_tokens),
    reasoning: toCount(objectAt(usage, 'completion_tokens_details').reasoning_tokens),
  };
  const reasoningApart = totalAddsReasoning(usage.total_tokens, counts);
  return { ...counts, cacheApart: false, reasoningApart };
}

/**
 * Anthropic Messages: "Total input tokens in a request is the summation of input_tokens,
 * cache_creation_input_tokens, and cache_read_input_tokens" (API reference, Usage); thinking is output.
 */
function readAnthropic(usage: RawUsage): RawCounts {
  const creation = objectAt(usage, 'cache_creation');
  const byAge = toCount(creation.ephemeral_5m_input_tokens) + oneHourWrites(usage);
  return {
    input: toCount(usage.input_tokens),
    output: toCount(usage.output_tokens),
    cached: toCount(usage.cache_read_input_tokens),
    written: toCount(usage.cache_creation_input_tokens) || byAge,
    reasoning: toCount(objectAt(usage, 'output_tokens_details').thinking_tokens),
    cacheApart: true,
    reasoningApart: false,
  };
}

/** OpenAI Responses (`…_tokens_details`), its realtime API and LangChain (`…_token_details`). */
function readResponses(usage: RawUsage): RawCounts {
  const input = objectAt(
    usage,
    'input_tokens_details' in usage ? 'input_tokens_details' : 'input_token_details',
  );
  const output = objectAt(
    usage,
    'output_tokens_details' in usage ? 'output_tokens_details' : 'output_token_details',
  );
  const counts = {
    input: toCount(usage.input_tokens),
    output: toCount(usage.output_tokens),
    cached: firstCount(input.cached_tokens, input.cache_read),
    written: firstCount(input.cache_write_tokens, input.cache_creation),
    reasoning: firstCount(output.reasoning_tokens, output.reasoning),
  };
  const reasoningApart = totalAddsReasoning(usage.total_tokens, counts);
  return { ...counts, cacheApart: false, reasoningApart };
}

/** Gemini's usageMetadata: candidates exclude thoughts, and the prompt includes cached content. */
function readGemini(usage: RawUsage): RawCounts {
  const input = toCount(usage.promptTokenCount) + toCount(usage.toolUsePromptTokenCount);
  const output = toCount(usage.candidatesTokenCount);
  const reasoning = toCount(usage.thoughtsTokenCount);
  const cached = toCount(usage.cachedContentTokenCount);
  // If the total does not contain the thoughts separately, the client already added them to the candidates.
  const total = usage.totalTokenCount;
  const reasoningApart = typeof total !== 'number' || total >= input + output + reasoning;
  return { input, output, cached, written: 0, reasoning, cacheApart: false, reasoningApart };
}

/**
 * Camel case: Amazon Bedrock Converse, whose `inputTokens` excludes `cacheReadInputTokens` and `cacheWriteInputTokens`
 * (API reference, TokenUsage), and the Vercel AI SDK, whose input includes them.
 */
function readCamelCase(usage: RawUsage): RawCounts {
  const input = objectAt(usage, 'inputTokenDetails');
  const output = objectAt(usage, 'outputTokenDetails');
  const bedrock = 'cacheReadInputTokens' in usage || 'cacheWriteInputTokens' in usage;
  return {
    input: toCount(usage.inputTokens),
    output: toCount(usage.outputTokens),
    cached: firstCount(usage.cacheReadInputTokens, usage.cachedInputTokens, input.cacheReadTokens),
    written: firstCount(usage.cacheWriteInputTokens, input.cacheWriteTokens),
    reasoning: firstCount(usage.reasoningTokens, output.reasoningTokens),
    cacheApart: bedrock,
    reasoningApart: false,
  };
}

/** True if the object has names that only Anthropic uses together with `input_tokens`. */
function isAnthropic(usage: RawUsage): boolean {
  if ('input_tokens_details' in usage || 'input_token_details' in usage) return false;
  return 'cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage;
}

/** Reads a usage object of a known form; null for any other. */
export function readRawUsage(usage: RawUsage): RawCounts | null {
  if (typeof usage.prompt_tokens === 'number') return readChat(usage);
  if (typeof usage.input_tokens === 'number') {
    return isAnthropic(usage) ? readAnthropic(usage) : readResponses(usage);
  }
  if (typeof usage.promptTokenCount === 'number') return readGemini(usage);
  if (typeof usage.inputTokens === 'number') return readCamelCase(usage);
  return null;
}

/**
 * The token fields of an event of which only the raw usage object is known. Input includes cached and cache-write tokens
 * and output includes reasoning, whatever the provider's convention. Null if the form is unknown (known are OpenAI Chat
 * and Responses, Anthropic, Gemini, Bedrock, AI SDK).
 */
export function usageFromRaw(usage: RawUsage | null): TokenFields | null {
  const raw = usage === null ? null : readRawUsage(usage);
  if (raw === null) return null;
  const input = raw.cacheApart ? raw.input + raw.cached + raw.written : raw.input;
  const output = raw.reasoningApart ? raw.output + raw.reasoning : raw.output;
  return {
    input_tokens: toCount(input),
    output_tokens: toCount(output),
    cached_input_tokens: raw.cached,
    cache_write_tokens: raw.written,
    reasoning_tokens: raw.reasoning,
  };
}
