import { flag, json, milliseconds, type Rule, resource, seconds, text, tokens } from '../read/source.ts';
import type { Source } from '../read/span.ts';
import { toCost } from './to-cost.ts';

/**
 * The sources of each field of an event. The first source with a valid value wins. Current names of the
 * OpenTelemetry GenAI semantic conventions come first, then older names and those of `POST /v1/otel`, then vendors:
 * OpenInference (`llm.*`), OpenLLMetry (`traceloop.*`), Vercel AI SDK (`ai.*`), Langfuse, LangSmith, Sentry,
 * Anthropic's SDK, Google's ADK (`gcp.vertex.agent.*`), Genkit, Mastra, VoltAgent.
 */

/** Lower-cased, without `PROVIDER_INTERFACE`; the names in `FRAMEWORKS` are ignored. */
export const PROVIDER = text('provider', 200, [
  'gen_ai.provider.name',
  'gen_ai.system',
  'llm.provider',
  'llm.system',
  'ai.model.provider',
  'langsmith.metadata.ls_provider',
  json('metadata', 'ls_provider'),
]);
/** Suffixes with which the Vercel AI SDK distinguishes a provider's interfaces. */
export const PROVIDER_INTERFACE = /\.(?:chat|responses|messages|completion|embedding)$/;
/** The Vercel AI SDK's names for providers that others name otherwise. */
export const PROVIDER_ALIASES: Readonly<Record<string, string>> = { 'google.generative-ai': 'google' };
/** Names that frameworks send in place of a provider. */
export const FRAMEWORKS: ReadonlySet<string> = new Set([
  'langchain',
  'langgraph',
  'llamaindex',
  'gcp.vertex.agent',
  'strands-agents',
  'strands',
  'voltagent',
  'genkit',
  'mastra',
  'crewai',
  'autogen',
  'agno',
  'smolagents',
  'haystack',
  'semantic_kernel',
  'dspy',
  '_other',
]);

/** Clients that serve other providers too, after which their instrumentations name the provider. */
export const NAMED_AFTER_CLIENT: ReadonlySet<string> = new Set(['openai', 'anthropic']);
/** Where such a client sent the call: a host, or the address of an API. */
export const ADDRESS = text('provider', 500, [
  'server.address',
  'gen_ai.openai.api_base',
  'openai.api_base',
  'llm.openai.api_base',
]);
export const AZURE = /^az(?:ure)?(?:$|[._-])/;

/** Maker of a model, for spans without a provider when several providers in the catalogue offer that name. */
export const MAKERS: readonly (readonly [RegExp, string])[] = [
  // Bedrock's model ids, with or without the region of an inference profile.
  [
    /^(?:(?:us|us-gov|eu|apac|jp|au|ca|global)\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen|stability|writer)\.\w/,
    'aws',
  ],
  [/^(?:ft:)?(?:gpt-|chatgpt-|o\d\b|text-embedding-\d|text-embedding-ada|davinci|dall-e|whisper)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^(?:gemini-|gemini-embedding|text-embedding-00)/, 'google'],
];

/** Genkit puts the name of the plugin before a model's name. */
export const MODEL_WITH_PLUGIN = 'genkit:name';
export const PLUGIN = /^[\w-]+\//;

export const MODEL = text('model', 300, [
  'gen_ai.request.model',
  'gen_ai.response.model',
  'llm.request.model_name',
  'llm.model_name',
  'llm.response.model_name',
  'embedding.model_name',
  'ai.model.id',
  'langfuse.observation.model.name',
  'langsmith.metadata.ls_model_name',
  'llm.model',
  MODEL_WITH_PLUGIN,
]);

/** The model that the reply names. */
export const RESPONSE_MODEL = text('model', 300, [
  'gen_ai.response.model',
  'llm.response.model_name',
  'ai.response.model',
]);

/** OpenInference cuts the id of an inference profile of Bedrock to the maker's name; the request or the reply has more. */
export const UNCUT_MODEL = text('model', 300, [
  json('input.value', 'modelId'),
  json('output.value', 'model'),
]);

/** Anthropic's usage object as the Vercel AI SDK attaches it; the SDK's own `ai.usage.*` are incomplete. */
const anthropicUsage = (...path: string[]): Source =>
  json('ai.response.providerMetadata', 'anthropic', 'usage', ...path);

/** Gemini's usage object, in the same way. */
const geminiUsage = (name: string): Source =>
  json('ai.response.providerMetadata', 'google', 'usageMetadata', name);

/** Token counts as sent. The input may or may not include cached tokens; see `leavesOutCache`. */
export const TOKENS = {
  input_tokens: tokens('input_tokens', [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'llm.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'ai.usage.tokens',
    json('langsmith.usage_metadata', 'input_tokens'),
    json('genkit:output', 'usage', 'inputTokens'),
    json('output.value', 'inputTextTokenCount'),
  ]),
  output_tokens: tokens('output_tokens', [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'llm.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
    json('langsmith.usage_metadata', 'output_tokens'),
    json('genkit:output', 'usage', 'outputTokens'),
  ]),
  cached_input_tokens: tokens('cached_input_tokens', [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.input_tokens.cached',
    'llm.token_count.prompt_details.cache_read',
    'llm.usage.cached_tokens',
    'ai.usage.cachedInputTokens',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    anthropicUsage('cache_read_input_tokens'),
    geminiUsage('cachedContentTokenCount'),
    json('ai.response.providerMetadata', 'bedrock', 'usage', 'cacheReadInputTokens'),
    json('gen_ai.usage.input_token_details', 'cache_read'),
    json('langsmith.usage_metadata', 'input_token_details', 'cache_read'),
    json('genkit:output', 'usage', 'cachedContentTokens'),
    json('genkit:output', 'raw', 'usage', 'prompt_tokens_details', 'cached_tokens'),
    json('genkit:output', 'raw', 'usage', 'cache_read_input_tokens'),
    json('genkit:output', 'custom', 'usage', 'cache_read_input_tokens'),
  ]),
  cache_write_tokens: tokens('cache_write_tokens', [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'gen_ai.usage.input_tokens.cache_write',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
    anthropicUsage('cache_creation_input_tokens'),
    json('ai.response.providerMetadata', 'anthropic', 'cacheCreationInputTokens'),
    json('ai.response.providerMetadata', 'bedrock', 'usage', 'cacheWriteInputTokens'),
    json('gen_ai.usage.input_token_details', 'cache_creation'),
    json('langsmith.usage_metadata', 'input_token_details', 'cache_creation'),
    json('genkit:output', 'raw', 'usage', 'cache_creation_input_tokens'),
    json('genkit:output', 'custom', 'usage', 'cache_creation_input_tokens'),
  ]),
  reasoning_tokens: tokens('reasoning_tokens', [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.output_tokens.reasoning',
    'llm.token_count.completion_details.reasoning',
    'llm.usage.reasoning_tokens',
    'ai.usage.reasoningTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
    geminiUsage('thoughtsTokenCount'),
    json('gen_ai.usage.output_token_details', 'reasoning'),
    json('langsmith.usage_metadata', 'output_token_details', 'reasoning'),
    json('genkit:output', 'usage', 'thoughtsTokens'),
    json('genkit:output', 'raw', 'usage', 'completion_tokens_details', 'reasoning_tokens'),
  ]),
} as const;

/** Langfuse sends all counts in one JSON object; it is read if none of the above exist. */
export const USAGE_DETAILS = 'langfuse.observation.usage_details';

/** Tokens of media within those of the input and the output, by the names of OpenAI's usage object. */
export const MEDIA_TOKENS = {
  prompt_tokens_details: {
    audio_tokens: tokens('media_tokens', [
      'gen_ai.usage.audio.input_tokens',
      'gen_ai.usage.details.input_audio_tokens',
      'llm.token_count.prompt_details.audio',
      json('langsmith.usage_metadata', 'input_token_details', 'audio'),
      json(USAGE_DETAILS, 'input_audio_tokens'),
    ]),
    image_tokens: tokens('media_tokens', ['gen_ai.usage.image.input_tokens']),
  },
  completion_tokens_details: {
    audio_tokens: tokens('media_tokens', [
      'gen_ai.usage.audio.output_tokens',
      'gen_ai.usage.details.output_audio_tokens',
      'llm.token_count.completion_details.audio',
      json('langsmith.usage_metadata', 'output_token_details', 'audio'),
      json(USAGE_DETAILS, 'output_audio_tokens'),
    ]),
    image_tokens: tokens('media_tokens', ['gen_ai.usage.image.output_tokens']),
  },
} as const;

/** All tokens as the client counts them. They show whether its output includes reasoning. */
export const TOTAL_TOKENS = tokens('total_tokens', [
  'gen_ai.usage.total_tokens',
  'llm.usage.total_tokens',
  'llm.token_count.total',
  'ai.usage.totalTokens',
  geminiUsage('totalTokenCount'),
  json('genkit:output', 'usage', 'totalTokens'),
]);

/** Models whose tokens beyond the prompt and the answer are thoughts. */
export const GEMINI = /(?:^|\/)gemini-/i;

/** Cache-write tokens with a lifetime of one hour, which cost more. */
export const ONE_HOUR_WRITES = tokens('cache_write_1h_tokens', [
  'anthropic.usage.cache_creation.ephemeral_1h_input_tokens',
  anthropicUsage('cache_creation', 'ephemeral_1h_input_tokens'),
]);
/** Input without cached tokens, from clients that also report it. */
export const FRESH_TOKENS = tokens('fresh_tokens', [
  'ai.usage.inputTokenDetails.noCacheTokens',
  anthropicUsage('input_tokens'),
]);
/** OpenLLMetry for JavaScript sends Anthropic's `input_tokens` unchanged; OpenLLMetry for Python adds cached tokens. */
export const CACHE_APART_SCOPES: ReadonlySet<string> = new Set(['@traceloop/instrumentation-anthropic']);

/**
 * A cost that the user stated (Langfuse's SDKs never compute one), or OpenRouter charges, as the Vercel AI SDK attaches it.
 * Estimates of libraries (`gen_ai.usage.cost`, `llm.cost.total`) are kept in metadata and are not used as the cost.
 */
export const COST: Rule<number> = {
  field: 'cost_usd',
  from: [
    'langfuse.observation.cost_details',
    json('ai.response.providerMetadata', 'openrouter', 'usage', 'cost'),
  ],
  read: toCost,
};

/** A list, a text, or a list as JSON text. The first reason is the event's; the list goes to metadata. */
export const FINISH_REASONS: readonly Source[] = [
  'gen_ai.response.finish_reasons',
  'gen_ai.completion.0.finish_reason',
  'llm.finish_reason',
  'ai.response.finishReason',
  'anthropic.message.stop_reason',
  'llm.response.finish_reason',
  json('genkit:output', 'finishReason'),
];
/** OpenLLMetry up to 0.14 sends one attribute per choice. */
export const FINISH_REASON_OF_CHOICE = (choice: number): string =>
  `gen_ai.completion.${choice}.finish_reason`;

export const STREAM = flag('stream', [
  'gen_ai.request.stream',
  'gen_ai.request.is_stream',
  'gen_ai.response.streaming',
  'llm.is_streaming',
  'llm.stream',
  'langsmith.request.streaming',
  json('llm.invocation_parameters', 'stream'),
  json('langfuse.observation.model.parameters', 'stream'),
]);
/** `ai.streamText.doStream`: the operation's name shows that it streams. */
export const STREAM_OPERATION: Rule<boolean> = {
  field: 'stream',
  from: ['ai.operationId'],
  read: (value) => (typeof value === 'string' && /stream/i.test(value) ? true : null),
};

export const TTFT = milliseconds('ttft_ms', [
  seconds('gen_ai.response.time_to_first_chunk'),
  seconds('gen_ai.client.operation.time_to_first_chunk'),
  seconds('gen_ai.server.time_to_first_token'),
  'ai.response.msToFirstChunk',
]);
/** A time as JSON text; the duration is measured from the start of the span. */
export const FIRST_TOKEN_AT = text('ttft_ms', 100, ['langfuse.observation.completion_start_time']);

export const USER_ID = text('user_id', 500, [
  'user.id',
  'enduser.id',
  'langfuse.user.id',
  'ai.telemetry.metadata.userId',
  'ai.settings.context.userId',
  'traceloop.association.properties.user_id',
  'langsmith.metadata.user_id',
  'mastra.metadata.userId',
  'mastra.metadata.resourceId',
  json('metadata', 'user_id'),
  json('metadata', 'userId'),
]);
export const SESSION_ID = text('session_id', 500, [
  'session.id',
  'gen_ai.conversation.id',
  'langfuse.session.id',
  'ai.telemetry.metadata.sessionId',
  'ai.settings.context.sessionId',
  'traceloop.association.properties.session_id',
  'langsmith.metadata.session_id',
  'gcp.vertex.agent.session_id',
  'mastra.metadata.sessionId',
  'mastra.metadata.threadId',
  'voltagent.conversation_id',
  'conversation.id',
  json('metadata', 'session_id'),
  json('metadata', 'thread_id'),
  json('metadata', 'conversation_id'),
]);
export const ENVIRONMENT = text('environment', 200, [
  'langfuse.environment',
  'langfuse.trace.environment',
  resource('deployment.environment.name'),
  resource('deployment.environment'),
]);
export const RELEASE = text('release', 200, [
  'langfuse.release',
  'sentry.release',
  resource('service.version'),
]);
export const PROMPT_NAME = text('prompt_name', 300, [
  'gen_ai.prompt.name',
  'langfuse.observation.prompt.name',
  'traceloop.prompt.key',
]);
export const PROMPT_VERSION = text('prompt_version', 100, [
  'langfuse.observation.prompt.version',
  'traceloop.prompt.version',
]);

export const AGENT = text('agent', 300, [
  'gen_ai.agent.name',
  'agent.name',
  'graph.node.id',
  // For an agent without a name.
  'gen_ai.agent.id',
]);
export const AGENT_VERSION = text('agent_version', 100, ['gen_ai.agent.version']);
export const TOOL = text('tool', 300, ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name']);
/** On every span of Langfuse, whose agents and tools have the span's name. */
export const LANGFUSE_TYPE = 'langfuse.observation.type';
/** Clients whose calls name the tool that the model asked for, in which they are not. */
export const NAMES_TOOL_ASKED_FOR = /^@openlit\//;
/** Name of an agent or tool in OpenLLMetry, of an agent in VoltAgent. */
export const AGENT_ENTITY = text('agent', 300, ['traceloop.entity.name', 'entity.name']);
export const TOOL_ENTITY = text('tool', 300, ['traceloop.entity.name']);

/** The HTTP status of the call itself. */
export const HTTP_STATUS: Rule<number> = {
  field: 'status',
  from: ['http.response.status_code', 'http.status_code'],
  read: (value) => {
    const status = Number(value);
    return status >= 100 && status <= 599 ? status : null;
  },
};
/** The conventions use `_OTHER` for an unknown error, Mastra `unknown`. */
export const ERROR_TYPE: Rule<string> = {
  ...text('error_code', 200, ['error.type']),
  read: (value) =>
    typeof value === 'string' && value !== '_OTHER' && value !== 'unknown'
      ? value.slice(0, 200).trim() || null
      : null,
};
/** Failures that a vendor states in addition to the span's status. */
export const FAILURE_LEVEL: Rule<true> = {
  field: 'status',
  from: ['langfuse.observation.level'],
  read: (value) => (value === 'ERROR' ? true : null),
};
export const FAILURE_MESSAGE = text('error_message', 10_000, ['langfuse.observation.status_message']);
/** Clients that mark success and failure, but leave aborted calls unset. */
export const UNSET_IS_CANCELLED: ReadonlySet<string> = new Set(['com.anthropic.sdk.typescript']);

/** Labels of a trace: a list, a list as JSON text, or comma-separated text. */
export const LABELS: readonly string[] = [
  'tag.tags',
  'langfuse.trace.tags',
  'langsmith.span.tags',
  'mastra.tags',
];
/** Names under which users attach their own values. */
export const OWN_VALUE =
  /^(?:traceloop\.association\.properties|ai\.telemetry\.metadata|ai\.settings\.context|langsmith\.metadata|langfuse\.trace\.metadata|mastra\.metadata)\./;
/** The same values as one JSON object (OpenInference). */
export const OWN_OBJECT = 'metadata';
/** Names that frameworks add to them, and names that are fields of the event. */
export const NOT_OWN =
  /^(?:ls_|lc_|langgraph_|LANGSMITH_|LANGCHAIN_|__)|^(?:user_?id|session_?id|thread_?id|resource_?id|run_?id|checkpoint_ns|tool_?name|tool_?call_?id|versions|usage_metadata|revision_id)$/i;
