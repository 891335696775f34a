import { json, resource, type Source, seconds } from './source.ts';

/**
 * Where each field of an event is looked for: the first source that is there and makes sense wins. The
 * current names of the OpenTelemetry GenAI semantic conventions come first, then the older ones with
 * those of the interface (POST /v1/otel), then vendors: OpenInference (`llm.*`), OpenLLMetry
 * (`traceloop.*`), Vercel AI SDK (`ai.*`), Langfuse, LangSmith, Sentry, Anthropic's SDK.
 */

/** Text fields of every span, with the most characters that are kept (as in `eventInputSchema`). */
export const TEXT_FIELDS = {
  environment: {
    max: 200,
    from: [
      'langfuse.environment',
      'langfuse.trace.environment',
      resource('deployment.environment.name'),
      resource('deployment.environment'),
    ],
  },
  user_id: {
    max: 500,
    from: [
      'user.id',
      'enduser.id',
      'langfuse.user.id',
      'ai.telemetry.metadata.userId',
      'ai.settings.context.userId',
      'traceloop.association.properties.user_id',
      'langsmith.metadata.user_id',
    ],
  },
  session_id: {
    max: 500,
    from: [
      'session.id',
      'gen_ai.conversation.id',
      'langfuse.session.id',
      'ai.telemetry.metadata.sessionId',
      'ai.settings.context.sessionId',
      'traceloop.association.properties.session_id',
      'langsmith.metadata.session_id',
    ],
  },
  release: { max: 200, from: ['langfuse.release', resource('service.version')] },
  prompt_name: {
    max: 300,
    from: ['gen_ai.prompt.name', 'langfuse.observation.prompt.name', 'traceloop.prompt.key'],
  },
  prompt_version: { max: 100, from: ['langfuse.observation.prompt.version', 'traceloop.prompt.version'] },
} as const satisfies Record<string, TextRule>;

type TextRule = { readonly max: number; readonly from: readonly Source[] };

export const AGENT: TextRule = { max: 300, from: ['gen_ai.agent.name', 'agent.name', 'graph.node.id'] };
export const TOOL: TextRule = { max: 300, from: ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name'] };
/** What a span of kind agent or tool is called in OpenLLMetry. */
export const ENTITY: TextRule = { max: 300, from: ['traceloop.entity.name'] };

/** In lower case and without `PROVIDER_INTERFACE`. */
export const PROVIDER: TextRule = {
  max: 200,
  from: [
    'gen_ai.provider.name',
    'gen_ai.system',
    'llm.provider',
    'llm.system',
    'ai.model.provider',
    'langsmith.metadata.ls_provider',
    json('metadata', 'ls_provider'),
  ],
};
/** Endings by which the Vercel AI SDK tells a provider's interfaces apart. */
export const PROVIDER_INTERFACE = /\.(?:chat|responses|messages|completion|embedding)$/;

export const MODEL: TextRule = {
  max: 300,
  from: [
    'gen_ai.request.model',
    'gen_ai.response.model',
    'llm.request.model_name',
    'llm.model_name',
    'llm.response.model_name',
    'embedding.model_name',
    'ai.model.id',
    'langfuse.observation.model.name',
  ],
};

/** Counts as they are sent: the input may include the cached tokens or not. */
export const TOKEN_FIELDS = {
  input_tokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'llm.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'ai.usage.tokens',
  ],
  output_tokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'llm.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  cached_input_tokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'gen_ai.usage.input_tokens.cached',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    json('gen_ai.usage.input_token_details', 'cache_read'),
  ],
  cache_write_tokens: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.details.cache_write_tokens',
    'gen_ai.usage.input_tokens.cache_write',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
    json('gen_ai.usage.input_token_details', 'cache_creation'),
  ],
  reasoning_tokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'gen_ai.usage.output_tokens.reasoning',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
    json('gen_ai.usage.output_token_details', 'reasoning'),
  ],
} as const satisfies Record<string, readonly Source[]>;
/** Langfuse has all counts in one JSON object; it is read where none of the above is there. */
export const USAGE_DETAILS = 'langfuse.observation.usage_details';

/** A list, a text, or a list as JSON text: the first reason is the event's, the list goes to metadata. */
export const FINISH_REASONS: readonly Source[] = [
  'gen_ai.response.finish_reasons',
  'gen_ai.completion.0.finish_reason',
  'llm.finish_reason',
  'ai.response.finishReason',
  'anthropic.message.stop_reason',
  'llm.response.finish_reason',
];

export const STREAM: readonly Source[] = [
  'gen_ai.request.stream',
  'gen_ai.response.streaming',
  'llm.is_streaming',
  'langsmith.request.streaming',
  json('llm.invocation_parameters', 'stream'),
  json('langfuse.observation.model.parameters', 'stream'),
];
/** `ai.streamText.doStream`: the name of the operation says that it streams. */
export const STREAM_OPERATION = { from: ['ai.operationId'], pattern: /stream/i } as const;

/** In milliseconds. */
export const TTFT: readonly Source[] = [
  seconds('gen_ai.response.time_to_first_chunk'),
  seconds('gen_ai.client.operation.time_to_first_chunk'),
  seconds('gen_ai.server.time_to_first_token'),
  'ai.response.msToFirstChunk',
];
/** A time instead of a duration, as JSON text: it counts from the start of the span. */
export const FIRST_TOKEN_AT: readonly Source[] = ['langfuse.observation.completion_start_time'];

export const HTTP_STATUS: readonly Source[] = ['http.response.status_code', 'http.status_code'];
export const ERROR_TYPE: readonly Source[] = ['error.type'];
/** Failures that a vendor states beside the span's status. */
export const FAILURE_LEVEL = { attribute: 'langfuse.observation.level', value: 'ERROR' } as const;
export const FAILURE_MESSAGE: readonly Source[] = ['langfuse.observation.status_message'];
