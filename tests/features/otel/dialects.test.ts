import { describe, expect, test } from 'bun:test';
import type { ParsedEvent } from '../../../src/core/events/index.ts';
import { eventOf, genAi, type SpanSpec, START, tokens } from './otlp.ts';

type Scenario = readonly [client: string, span: SpanSpec, event: Partial<ParsedEvent>];

/** An OpenAI call of 1200 input tokens, 1024 of them cached, and 48 output tokens. */
const OPENAI = { provider: 'openai', model: 'gpt-4o', input_tokens: 1200, output_tokens: 48 } as const;
const CACHED = { cached_input_tokens: 1024 } as const;
/** An Anthropic call of 160 fresh, 2048 cached and 256 written tokens, as the sum or as the fresh part. */
const CLAUDE = { provider: 'anthropic', model: 'claude-sonnet-4-5', output_tokens: 77 } as const;
const CLAUDE_CACHE = { cached_input_tokens: 2048, cache_write_tokens: 256 } as const;

const calls: readonly Scenario[] = [
  [
    'otel-contrib-openai, chat',
    {
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.model': 'gpt-4o-2024-08-06',
        'gen_ai.response.finish_reasons': ['stop', 'length'],
        ...tokens(1200, 48),
      },
      scope: { name: '@opentelemetry/instrumentation-openai', version: '0.22.0' },
    },
    {
      ...OPENAI,
      kind: 'llm',
      finish_reason: 'stop',
      stream: false,
      sdk_version: '@opentelemetry/instrumentation-openai@0.22.0',
    },
  ],
  [
    'anthropic-sdk-native, streamed',
    {
      name: 'anthropic.messages.create',
      code: 1,
      scope: { name: 'com.anthropic.sdk.typescript' },
      attributes: genAi('anthropic', CLAUDE.model, {
        ...tokens(2464, 77),
        'gen_ai.usage.cache_read.input_tokens': 2048,
        'gen_ai.usage.cache_write.input_tokens': 256,
        'anthropic.message.stop_reason': 'end_turn',
        'gen_ai.request.stream': true,
        'gen_ai.response.time_to_first_chunk': 0.125,
        'gen_ai.conversation.id': 'conv-1',
      }),
    },
    {
      ...CLAUDE,
      ...CLAUDE_CACHE,
      input_tokens: 2464,
      operation: 'anthropic.messages.create',
      finish_reason: 'end_turn',
      stream: true,
      ttft_ms: 125,
      session_id: 'conv-1',
      status: 'success',
      sdk_version: 'com.anthropic.sdk.typescript',
    },
  ],
  [
    'traceloop-sdk, Anthropic: input excludes the cache',
    {
      attributes: genAi('anthropic', CLAUDE.model, {
        ...tokens(160, 77),
        'gen_ai.usage.cache_read.input_tokens': 2048,
        'gen_ai.usage.cache_creation.input_tokens': 256,
        'gen_ai.response.finish_reasons': ['tool_call'],
        'traceloop.association.properties.user_id': 'u1',
        'traceloop.association.properties.session_id': 's1',
        'traceloop.entity.path': '',
      }),
    },
    {
      ...CLAUDE,
      ...CLAUDE_CACHE,
      input_tokens: 2464,
      finish_reason: 'tool_call',
      user_id: 'u1',
      session_id: 's1',
    },
  ],
  [
    'traceloop-sdk-0.14: the names of the interface',
    {
      name: 'openai.chat',
      attributes: {
        'llm.request.type': 'chat',
        'gen_ai.system': 'OpenAI',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.prompt_tokens': 1200,
        'gen_ai.usage.completion_tokens': 48,
        'gen_ai.completion.0.finish_reason': 'stop',
      },
    },
    { ...OPENAI, kind: 'llm', operation: 'openai.chat', finish_reason: 'stop' },
  ],
  [
    'openinference, Anthropic',
    {
      name: 'Anthropic Messages',
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.provider': 'anthropic',
        'llm.system': 'anthropic',
        'llm.model_name': CLAUDE.model,
        'llm.token_count.prompt': 2464,
        'llm.token_count.completion': 77,
        'llm.token_count.prompt_details.cache_read': 2048,
        'llm.token_count.prompt_details.cache_write': 256,
        'llm.finish_reason': 'end_turn',
        'llm.invocation_parameters': '{"max_tokens":1024,"stream":true}',
        'user.id': 'u1',
        'session.id': 's1',
      },
    },
    {
      ...CLAUDE,
      ...CLAUDE_CACHE,
      input_tokens: 2464,
      finish_reason: 'end_turn',
      stream: true,
      user_id: 'u1',
      session_id: 's1',
    },
  ],
  [
    'openinference, embeddings without tokens',
    {
      name: 'OpenAI Embeddings',
      attributes: {
        'openinference.span.kind': 'EMBEDDING',
        'llm.system': 'openai',
        'embedding.model_name': 'text-embedding-3-small',
      },
    },
    { kind: 'embedding', provider: 'openai', model: 'text-embedding-3-small', input_tokens: 0 },
  ],
  [
    'langchain-openinference: the provider only in a JSON attribute',
    {
      name: 'ChatOpenAI',
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-4o',
        'llm.token_count.prompt': 1200,
        'llm.token_count.completion': 48,
        'llm.token_count.prompt_details.cache_read': 1024,
        'llm.finish_reason': 'stop',
        metadata: '{"ls_provider":"openai","thread":"a"}',
      },
    },
    { ...OPENAI, ...CACHED, operation: 'ChatOpenAI', finish_reason: 'stop' },
  ],
  [
    'openai-agents-openinference',
    {
      name: 'response',
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.system': 'openai',
        'llm.model_name': 'gpt-4o',
        'llm.token_count.prompt': 1200,
        'llm.token_count.completion': 48,
        'llm.token_count.completion_details.reasoning': 16,
      },
    },
    { ...OPENAI, reasoning_tokens: 16, operation: 'response' },
  ],
  [
    'vercel-ai-v5, streamed',
    {
      name: 'ai.streamText.doStream',
      scope: { name: 'ai' },
      resource: { 'telemetry.sdk.name': 'opentelemetry', 'telemetry.sdk.version': '2.0.0' },
      attributes: {
        'ai.operationId': 'ai.streamText.doStream',
        'ai.model.provider': 'openai.responses',
        'ai.model.id': 'gpt-4o',
        'gen_ai.system': 'openai.responses',
        'gen_ai.request.model': 'gpt-4o',
        ...tokens(1200, 48),
        'ai.usage.inputTokens': 1200,
        'ai.usage.cachedInputTokens': 1024,
        'gen_ai.response.finish_reasons': ['tool-calls'],
        'ai.response.msToFirstChunk': 87.5,
        'ai.telemetry.metadata.userId': 'u1',
        'ai.telemetry.metadata.sessionId': 's1',
      },
    },
    {
      ...OPENAI,
      ...CACHED,
      finish_reason: 'tool-calls',
      stream: true,
      ttft_ms: 87.5,
      user_id: 'u1',
      session_id: 's1',
      sdk_version: 'opentelemetry@2.0.0',
    },
  ],
  [
    'vercel-ai-v5, Anthropic',
    {
      name: 'ai.generateText.doGenerate',
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'gen_ai.system': 'anthropic.messages',
        'gen_ai.request.model': CLAUDE.model,
        ...tokens(160, 77),
        'ai.usage.cachedInputTokens': 2048,
      },
    },
    { ...CLAUDE, kind: 'llm', input_tokens: 2208, cached_input_tokens: 2048 },
  ],
  [
    'vercel-ai-v5, embeddings',
    {
      name: 'ai.embed.doEmbed',
      attributes: {
        'ai.operationId': 'ai.embed.doEmbed',
        'ai.model.provider': 'openai.embedding',
        'ai.model.id': 'text-embedding-3-small',
        'ai.usage.tokens': 18,
      },
    },
    { kind: 'embedding', provider: 'openai', model: 'text-embedding-3-small', input_tokens: 18 },
  ],
  [
    'vercel-ai-v7',
    {
      scope: { name: 'gen_ai' },
      attributes: genAi('openai', 'gpt-4o', {
        ...tokens(1200, 48),
        'gen_ai.usage.cache_read.input_tokens': 1024,
        'gen_ai.client.operation.time_to_first_chunk': 0.09,
      }),
    },
    { ...OPENAI, ...CACHED, ttft_ms: 90, stream: true },
  ],
  [
    'langfuse-otel: all in JSON, no provider',
    {
      name: 'my-gen',
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.usage_details':
          '{"input":176,"input_cached_tokens":1024,"output":32,"output_reasoning_tokens":16,"total":1248}',
        'langfuse.observation.model.parameters': '{"stream":true}',
        'langfuse.observation.completion_start_time': JSON.stringify(new Date(START + 80).toISOString()),
        'langfuse.environment': 'staging',
        'langfuse.release': 'r7',
        'langfuse.observation.prompt.name': 'greeting',
        'langfuse.observation.prompt.version': 3,
        'user.id': 'u1',
        'session.id': 's1',
      },
    },
    {
      ...OPENAI,
      ...CACHED,
      reasoning_tokens: 16,
      stream: true,
      ttft_ms: 80,
      environment: 'staging',
      release: 'r7',
      prompt_name: 'greeting',
      prompt_version: '3',
      usage: { input: 176, input_cached_tokens: 1024, output: 32, output_reasoning_tokens: 16, total: 1248 },
    },
  ],
  [
    'langsmith-otel',
    {
      name: 'ChatOpenAI',
      code: 1,
      attributes: {
        'langsmith.span.kind': 'llm',
        'gen_ai.operation.name': 'chat',
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        ...tokens(1200, 48),
        'gen_ai.usage.input_token_details': '{"cache_read":1024}',
        'gen_ai.response.finish_reasons': 'stop',
        'langsmith.request.streaming': 'true',
        'langsmith.metadata.user_id': 'u1',
        'langsmith.metadata.session_id': 's1',
      },
    },
    { ...OPENAI, ...CACHED, finish_reason: 'stop', stream: true, user_id: 'u1', session_id: 's1' },
  ],
  [
    'sentry-node, streamed responses',
    {
      attributes: {
        'gen_ai.operation.name': 'responses',
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        ...tokens(1200, 48),
        'gen_ai.usage.cache_read.input_tokens': 1024,
        'gen_ai.response.finish_reasons': '["in_progress","in_progress","completed"]',
        'gen_ai.response.streaming': true,
      },
    },
    { ...OPENAI, ...CACHED, kind: 'llm', finish_reason: 'completed', stream: true },
  ],
  [
    'a span that only has the names of the interface',
    {
      attributes: {
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.prompt_tokens': 10,
        'gen_ai.usage.completion_tokens': 5,
        'gen_ai.response.finish_reasons': ['stop'],
      },
    },
    {
      provider: 'openai',
      model: 'gpt-4o',
      kind: 'llm',
      input_tokens: 10,
      output_tokens: 5,
      finish_reason: 'stop',
    },
  ],
  [
    'both generations of names: the current one wins',
    {
      attributes: genAi('openai', 'gpt-4o', {
        'gen_ai.system': 'azure',
        'gen_ai.usage.prompt_tokens': 1,
        ...tokens(1200, 48),
      }),
    },
    OPENAI,
  ],
  ...(
    [
      [
        'OpenInference',
        {
          'llm.token_count.prompt': 1000,
          'llm.token_count.completion': 500,
          'llm.token_count.prompt_details.audio': 900,
          'llm.token_count.completion_details.audio': 400,
        },
        {},
      ],
      [
        'the conventions',
        {
          ...tokens(1000, 500),
          'gen_ai.usage.audio.input_tokens': 900,
          'gen_ai.usage.audio.output_tokens': 400,
        },
        {},
      ],
      [
        'Langfuse',
        {
          'langfuse.observation.usage_details': JSON.stringify({
            input: 100,
            input_audio_tokens: 900,
            output: 100,
            output_audio_tokens: 400,
          }),
        },
        { input: 100, output: 100 },
      ],
    ] as const
  ).map(
    ([client, counts, rest]): Scenario => [
      `audio through ${client}: its tokens have prices of their own`,
      { attributes: { ...genAi('openai', 'gpt-4o-audio-preview', {}), ...counts } },
      {
        input_tokens: 1000,
        output_tokens: 500,
        usage: {
          ...rest,
          prompt_tokens_details: { audio_tokens: 900 },
          completion_tokens_details: { audio_tokens: 400 },
        },
      },
    ],
  ),
  [
    'the Vercel AI SDK with OpenRouter, which says what it charges',
    {
      attributes: genAi('openrouter.chat', 'openai/gpt-4o', {
        ...tokens(1200, 48),
        'ai.response.providerMetadata': JSON.stringify({ openrouter: { usage: { cost: 0.0042 } } }),
      }),
    },
    { provider: 'openrouter', model: 'openai/gpt-4o', cost_usd: 0.0042 },
  ],
  [
    'a deployment of Azure: the reply names the model that is billed',
    {
      attributes: genAi('azure.ai.openai', 'my-deployment', {
        'gen_ai.response.model': 'gpt-4o-2024-08-06',
        ...tokens(1200, 48),
      }),
    },
    { provider: 'azure.ai.openai', model: 'gpt-4o-2024-08-06' },
  ],
  [
    'another provider through the client of OpenAI: the address tells',
    {
      attributes: genAi('openai', 'openai/gpt-oss-20b', {
        'server.address': 'api.groq.com',
        ...tokens(1200, 48),
      }),
    },
    { provider: 'groq', model: 'openai/gpt-oss-20b' },
  ],
  [
    'the same through OpenLLMetry, with the address of the API',
    {
      attributes: genAi('openai', 'deepseek-chat', {
        'gen_ai.openai.api_base': 'https://api.deepseek.com/v1',
        ...tokens(1200, 48),
      }),
    },
    { provider: 'deepseek' },
  ],
  [
    'the client of OpenAI through a proxy, whose address tells nothing',
    { attributes: genAi('openai', 'gpt-4o', { 'server.address': 'proxy.local', ...tokens(1200, 48) }) },
    OPENAI,
  ],
  [
    'traceloop-sdk, Anthropic with less cached than fresh: the scope tells',
    {
      scope: { name: '@traceloop/instrumentation-anthropic', version: '0.27.0' },
      attributes: genAi('anthropic', CLAUDE.model, {
        ...tokens(5000, 77),
        'gen_ai.usage.cache_read.input_tokens': 100,
      }),
    },
    { ...CLAUDE, input_tokens: 5100, cached_input_tokens: 100, usage: { input_tokens_without_cache: 5000 } },
  ],
  [
    'the same counts from a sender that follows the conventions',
    {
      attributes: genAi('anthropic', CLAUDE.model, {
        ...tokens(5000, 77),
        'gen_ai.usage.cache_read.input_tokens': 100,
      }),
    },
    { ...CLAUDE, input_tokens: 5000, cached_input_tokens: 100, usage: null },
  ],
  [
    'vercel-ai-v5, Anthropic: its usage object has what the attributes lack',
    {
      scope: { name: 'ai' },
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'gen_ai.system': 'anthropic.messages',
        'gen_ai.request.model': CLAUDE.model,
        ...tokens(5000, 77),
        'ai.response.providerMetadata': JSON.stringify({
          anthropic: {
            usage: {
              input_tokens: 5000,
              cache_read_input_tokens: 100,
              cache_creation_input_tokens: 30,
              cache_creation: { ephemeral_1h_input_tokens: 10 },
            },
          },
        }),
      },
    },
    {
      ...CLAUDE,
      input_tokens: 5130,
      cached_input_tokens: 100,
      cache_write_tokens: 30,
      usage: { input_tokens_without_cache: 5000, cache_creation: { ephemeral_1h_input_tokens: 10 } },
    },
  ],
  [
    'vercel-ai-v5, Gemini: thoughts are beside the output, and the attributes lack them',
    {
      scope: { name: 'ai' },
      attributes: {
        'ai.operationId': 'ai.generateText.doGenerate',
        'gen_ai.system': 'google.generative-ai',
        'gen_ai.request.model': 'gemini-2.5-flash',
        ...tokens(1200, 60),
        'ai.response.providerMetadata': JSON.stringify({
          google: {
            usageMetadata: {
              promptTokenCount: 1200,
              cachedContentTokenCount: 1000,
              candidatesTokenCount: 60,
              thoughtsTokenCount: 40,
              totalTokenCount: 1300,
            },
          },
        }),
      },
    },
    {
      provider: 'google',
      input_tokens: 1200,
      cached_input_tokens: 1000,
      output_tokens: 100,
      reasoning_tokens: 40,
    },
  ],
  [
    'anthropic-sdk-native, a stream that broke: what was counted is not all',
    {
      code: 2,
      scope: { name: 'com.anthropic.sdk.typescript' },
      attributes: genAi('anthropic', CLAUDE.model, {
        'gen_ai.usage.input_tokens': 2464,
        'gen_ai.usage.cache_read.input_tokens': 2048,
        'gen_ai.usage.cache_write.input_tokens': 256,
        'gen_ai.request.stream': true,
        'gen_ai.response.time_to_first_chunk': 0.065,
        'error.type': 'client_error',
      }),
    },
    { status: 'error', input_tokens: 2464, output_tokens: 0, usage: { incomplete: true } },
  ],
  [
    'openlit, a stream that broke before anything was counted',
    {
      code: 2,
      message: 'terminated',
      scope: { name: '@openlit/instrumentation-openai' },
      attributes: genAi('openai', 'gpt-4o', { 'error.type': 'TypeError', 'gen_ai.request.is_stream': true }),
    },
    { status: 'error', stream: true, input_tokens: 0, usage: { incomplete: true } },
  ],
  [
    'openlit, the tool that a model asked for',
    {
      scope: { name: '@openlit/instrumentation-openai' },
      attributes: genAi('openai', 'gpt-4o', { 'gen_ai.tool.name': 'get_weather', ...tokens(1200, 48) }),
    },
    { ...OPENAI, tool: null },
  ],
  [
    'langfuse, less cached than fresh: all its counts stand beside each other',
    {
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.usage_details':
          '{"input":900,"input_cached_tokens":200,"input_audio_tokens":100,"output":32,"output_reasoning_tokens":16}',
        'langfuse.observation.cost_details': '{"input":0.001,"output":0.002}',
      },
    },
    { ...OPENAI, cached_input_tokens: 200, reasoning_tokens: 16, cost_usd: 0.003 },
  ],
  [
    'langfuse, a failed call: a cost of 0 is none, an embedding has a maker',
    {
      attributes: {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': 'text-embedding-3-small',
        'langfuse.observation.cost_details': '{"input":0,"output":0,"total":0}',
      },
    },
    { model: 'text-embedding-3-small', provider: 'openai', cost_usd: null },
  ],
  [
    'what people attach: labels, and values of one word',
    {
      attributes: genAi('openai', 'gpt-4o', {
        'tag.tags': '["beta","tell me a story"]',
        'langsmith.span.tags': 'eu, gold',
        metadata: '{"plan":"pro","seats":3,"note":"tell me a story","ls_provider":"openai","deep":{"a":1}}',
        'traceloop.association.properties.tenant': 'acme',
        'traceloop.association.properties.user_id': 'u1',
        'langfuse.observation.metadata.instructions': 'brief',
      }),
    },
    {
      tags: { beta: true, eu: true, gold: true },
      metadata: { 'gen_ai.operation.name': 'chat', tenant: 'acme', plan: 'pro', seats: 3 },
      user_id: 'u1',
    },
  ],
  [
    'a framework in the place of the provider',
    { attributes: genAi('langchain', 'gpt-4o', { 'gen_ai.system': 'openai' }) },
    { provider: 'openai' },
  ],
  [
    'token counts as text and as doubles',
    {
      attributes: genAi('openai', 'gpt-4o', {
        'gen_ai.usage.input_tokens': '1200',
        'gen_ai.usage.output_tokens': 48.0,
        'gen_ai.usage.cache_read.input_tokens': -5,
        'gen_ai.usage.reasoning.output_tokens': 2 ** 60,
      }),
    },
    { ...OPENAI, cached_input_tokens: 0, reasoning_tokens: 0 },
  ],
];

describe('a call of each client', () => {
  test.each(calls.map(([client, span, event]) => [client, span, event] as const))('%s', (_, span, event) => {
    expect(eventOf(span)).toMatchObject(event);
  });
});
