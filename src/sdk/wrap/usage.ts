import type { EventFields } from '../event.ts';

type Usage = Readonly<Record<string, unknown>>;

/** The token fields of an event: input includes cache reads and cache writes. */
export type TokenFields = Pick<
  EventFields,
  | 'input_tokens'
  | 'output_tokens'
  | 'cached_input_tokens'
  | 'cache_write_tokens'
  | 'reasoning_tokens'
  | 'usage'
>;

export const isObject = (value: unknown): value is Usage => typeof value === 'object' && value !== null;

const at = (usage: Usage, key: string): Usage => {
  const value = usage[key];
  return isObject(value) ? value : {};
};

const count = (...values: unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number');

/** OpenAI: Chat Completions and Embeddings (`prompt_tokens`), Responses (`input_tokens`), realtime (`…_token_details`). */
export const openAiTokens = (usage: unknown): TokenFields => {
  if (!isObject(usage)) return {};
  const input = {
    ...at(usage, 'prompt_tokens_details'),
    ...at(usage, 'input_tokens_details'),
    ...at(usage, 'input_token_details'),
  };
  const output = { ...at(usage, 'completion_tokens_details'), ...at(usage, 'output_tokens_details') };
  return {
    input_tokens: count(usage.prompt_tokens, usage.input_tokens),
    output_tokens: count(usage.completion_tokens, usage.output_tokens),
    cached_input_tokens: count(input.cached_tokens, usage.prompt_cache_hit_tokens),
    cache_write_tokens: count(input.cache_write_tokens),
    reasoning_tokens: count(output.reasoning_tokens),
    usage,
  };
};

/** Anthropic, whose `input_tokens` exclude both kinds of cached tokens (API reference, Usage). */
export const anthropicTokens = (usage: unknown): TokenFields => {
  if (!isObject(usage)) return {};
  const read = count(usage.cache_read_input_tokens) ?? 0;
  const written = count(usage.cache_creation_input_tokens) ?? 0;
  return {
    input_tokens: (count(usage.input_tokens) ?? 0) + read + written,
    output_tokens: count(usage.output_tokens),
    cached_input_tokens: read,
    cache_write_tokens: written,
    reasoning_tokens: count(at(usage, 'output_tokens_details').thinking_tokens),
    usage,
  };
};

/** Gemini, whose `candidatesTokenCount` excludes thoughts (API reference, UsageMetadata). */
export const geminiTokens = (usage: unknown): TokenFields => {
  if (!isObject(usage)) return {};
  const thoughts = count(usage.thoughtsTokenCount);
  const output = count(usage.candidatesTokenCount, usage.responseTokenCount);
  return {
    input_tokens: (count(usage.promptTokenCount) ?? 0) + (count(usage.toolUsePromptTokenCount) ?? 0),
    output_tokens:
      output === undefined && thoughts === undefined ? undefined : (output ?? 0) + (thoughts ?? 0),
    cached_input_tokens: count(usage.cachedContentTokenCount),
    reasoning_tokens: thoughts,
    usage,
  };
};

/** Amazon Bedrock, whose `inputTokens` exclude both kinds of cached tokens (API reference, TokenUsage). */
export const bedrockTokens = (usage: unknown): TokenFields => {
  if (!isObject(usage)) return {};
  const read = count(usage.cacheReadInputTokens) ?? 0;
  const written = count(usage.cacheWriteInputTokens) ?? 0;
  return {
    input_tokens: (count(usage.inputTokens) ?? 0) + read + written,
    output_tokens: count(usage.outputTokens),
    cached_input_tokens: read,
    cache_write_tokens: written,
    usage,
  };
};

/** Cohere, which bills fewer tokens than its models read (API reference, `billed_units`). */
export const cohereTokens = (usage: unknown): TokenFields => {
  if (!isObject(usage)) return {};
  const billed = at(usage, 'billed_units');
  const input = count(billed.input_tokens, at(usage, 'tokens').input_tokens);
  const cached = count(usage.cached_tokens);
  return {
    input_tokens: input,
    output_tokens: count(billed.output_tokens, at(usage, 'tokens').output_tokens),
    cached_input_tokens: cached === undefined ? undefined : Math.min(cached, input ?? 0),
    usage,
  };
};

/**
 * LangChain's `usage_metadata`, whose input includes cached tokens, or `tokenUsage` of older models.
 * @param own the provider's own usage object, if LangChain kept it
 */
export const langChainTokens = (usage: unknown, own: unknown): TokenFields => {
  if (!isObject(usage)) return {};
  const input = at(usage, 'input_token_details');
  return {
    input_tokens: count(usage.input_tokens, usage.promptTokens, usage.prompt_tokens),
    output_tokens: count(usage.output_tokens, usage.completionTokens, usage.completion_tokens),
    cached_input_tokens: count(input.cache_read),
    cache_write_tokens: count(input.cache_creation),
    reasoning_tokens: count(at(usage, 'output_token_details').reasoning),
    usage: isObject(own) ? own : usage,
  };
};

/**
 * The AI SDK: counts by kind (from version 6), or flat ones. Version 5 passes on what a provider counts, which may leave
 * out cached tokens and thoughts.
 * @param metadata what the provider says beside its reply, in version 5 its own usage
 */
export const aiSdkTokens = (usage: unknown, metadata?: unknown): TokenFields => {
  if (!isObject(usage)) return {};
  const input = at(usage, 'inputTokens');
  const output = at(usage, 'outputTokens');
  const own = isObject(usage.inputTokens) ? undefined : ownTokens(usage, isObject(metadata) ? metadata : {});
  return (
    own ?? {
      input_tokens: count(input.total, usage.inputTokens, usage.tokens),
      output_tokens: count(output.total, usage.outputTokens),
      cached_input_tokens: count(input.cacheRead, usage.cachedInputTokens),
      cache_write_tokens: count(input.cacheWrite),
      reasoning_tokens: count(output.reasoning, usage.reasoningTokens),
      usage: isObject(usage.raw) ? usage.raw : chargedUsage(metadata),
    }
  );
};

/** OpenRouter says what it charges beside the reply (`@openrouter/ai-sdk-provider`). */
const chargedUsage = (metadata: unknown): Usage | undefined => {
  const { usage } = at(isObject(metadata) ? metadata : {}, 'openrouter');
  return isObject(usage) ? usage : undefined;
};

/** Providers of version 5 whose counts leave out a part (`@ai-sdk/anthropic` 2, `google` 2, `amazon-bedrock` 3). */
const ownTokens = (usage: Usage, { anthropic, google, bedrock }: Usage): TokenFields | undefined => {
  if (isObject(anthropic) && isObject(anthropic.usage)) return anthropicTokens(anthropic.usage);
  if (isObject(google) && isObject(google.usageMetadata)) return geminiTokens(google.usageMetadata);
  if (!isObject(bedrock)) return undefined;
  return bedrockTokens({
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheReadInputTokens: usage.cachedInputTokens,
    cacheWriteInputTokens: at(bedrock, 'usage').cacheWriteInputTokens,
  });
};
