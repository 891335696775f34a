import { describe, expect, test } from 'bun:test';
import type { ParsedEvent } from '../../../src/core/events/index.ts';
import { type AttributeMap, eventOf, START } from './otlp.ts';

type Row = {
  readonly field: keyof ParsedEvent;
  /** Names in order of precedence; `resource:` marks an attribute of the resource. */
  readonly names: readonly string[];
  /** The value sent under the nth name, and the resulting field. */
  readonly send?: (n: number, name: string) => unknown;
  readonly read?: (n: number) => unknown;
};

const count = (n: number): number => 100 + n;
const word = (n: number): string => `value-${n}`;
const tokens = (field: keyof ParsedEvent, ...names: string[]): Row => ({
  field,
  names,
  send: count,
  read: count,
});
const text = (field: keyof ParsedEvent, ...names: string[]): Row => ({
  field,
  names,
  send: word,
  read: word,
});

/** The names of each field in order of precedence, from the conventions and the clients. */
const ROWS: readonly Row[] = [
  {
    ...text(
      'provider',
      'gen_ai.provider.name',
      'gen_ai.system',
      'llm.provider',
      'llm.system',
      'ai.model.provider',
      'langsmith.metadata.ls_provider',
      'metadata',
    ),
    send: (n, name) =>
      name === 'metadata' ? JSON.stringify({ ls_provider: word(n) }) : word(n).toUpperCase(),
  },
  text(
    'model',
    'gen_ai.request.model',
    'gen_ai.response.model',
    'llm.request.model_name',
    'llm.model_name',
    'llm.response.model_name',
    'embedding.model_name',
    'ai.model.id',
    'langfuse.observation.model.name',
  ),
  tokens(
    'input_tokens',
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'llm.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'ai.usage.tokens',
  ),
  tokens(
    'output_tokens',
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ),
  {
    ...tokens(
      'cached_input_tokens',
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'gen_ai.usage.details.cache_read_tokens',
      'llm.token_count.prompt_details.cache_read',
      'ai.usage.cachedInputTokens',
      'ai.usage.inputTokenDetails.cacheReadTokens',
      'gen_ai.usage.input_token_details',
    ),
    send: (n, name) => (name.endsWith('_details') ? JSON.stringify({ cache_read: count(n) }) : count(n)),
  },
  tokens(
    'cache_write_tokens',
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
  ),
  tokens(
    'reasoning_tokens',
    'gen_ai.usage.reasoning.output_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
  ),
  text(
    'finish_reason',
    'gen_ai.response.finish_reasons',
    'gen_ai.completion.0.finish_reason',
    'llm.finish_reason',
    'ai.response.finishReason',
    'anthropic.message.stop_reason',
    'llm.response.finish_reason',
  ),
  {
    field: 'ttft_ms',
    names: [
      'gen_ai.response.time_to_first_chunk',
      'gen_ai.client.operation.time_to_first_chunk',
      'gen_ai.server.time_to_first_token',
      'ai.response.msToFirstChunk',
      'langfuse.observation.completion_start_time',
    ],
    send: (n, name) => {
      if (name.startsWith('langfuse')) return JSON.stringify(new Date(START + count(n)).toISOString());
      return name.startsWith('ai.') ? count(n) : count(n) / 1000;
    },
    read: count,
  },
  text(
    'user_id',
    'user.id',
    'enduser.id',
    'langfuse.user.id',
    'ai.telemetry.metadata.userId',
    'ai.settings.context.userId',
    'traceloop.association.properties.user_id',
    'langsmith.metadata.user_id',
  ),
  text(
    'session_id',
    'session.id',
    'gen_ai.conversation.id',
    'langfuse.session.id',
    'ai.telemetry.metadata.sessionId',
    'ai.settings.context.sessionId',
    'traceloop.association.properties.session_id',
    'langsmith.metadata.session_id',
  ),
  text(
    'environment',
    'langfuse.environment',
    'resource:deployment.environment.name',
    'resource:deployment.environment',
  ),
  text('agent', 'gen_ai.agent.name', 'graph.node.id'),
  text('tool', 'gen_ai.tool.name', 'tool.name', 'ai.toolCall.name'),
  text('prompt_name', 'gen_ai.prompt.name', 'langfuse.observation.prompt.name', 'traceloop.prompt.key'),
  text('prompt_version', 'langfuse.observation.prompt.version', 'traceloop.prompt.version'),
];

function read({ field, names, send = word }: Row, places: readonly number[]): unknown {
  const attributes: Record<string, unknown> = { 'gen_ai.operation.name': 'chat' };
  const resource: Record<string, unknown> = {};
  for (const place of places) {
    const name = names[place] ?? '';
    const isResource = name.startsWith('resource:');
    (isResource ? resource : attributes)[name.replace('resource:', '')] = send(place, name);
  }
  return eventOf({ attributes: attributes as AttributeMap, resource })[field];
}

describe.each(ROWS.map((row) => [row.field, row] as const))('%s', (_, row) => {
  const { names, read: expected = word } = row;

  test('is read from each of its names', () => {
    for (const place of names.keys())
      expect([names[place], read(row, [place])]).toEqual([names[place], expected(place)]);
  });

  test('is read from the first name that exists', () => {
    for (let place = 1; place < names.length; place++) {
      const left = place - 1;
      expect([names[left], read(row, [place, left])]).toEqual([names[left], expected(left)]);
    }
    expect(read(row, [...names.keys()])).toEqual(expected(0));
  });
});

describe('stream', () => {
  test.each<[string, unknown]>([
    ['gen_ai.request.stream', true],
    ['gen_ai.response.streaming', true],
    ['llm.is_streaming', true],
    ['langsmith.request.streaming', 'true'],
    ['ai.operationId', 'ai.streamText.doStream'],
    ['llm.invocation_parameters', '{"stream":true}'],
    ['langfuse.observation.model.parameters', '{"stream":true}'],
    ['gen_ai.response.time_to_first_chunk', 0.1],
  ])('%s says it', (name, value) => {
    expect(eventOf({ attributes: { 'gen_ai.operation.name': 'chat', [name]: value } }).stream).toBe(true);
  });
});

test.each(['.chat', '.responses', '.messages', '.completion', '.embedding'])(
  'a provider loses its ending %s',
  (ending) => {
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.system': `OpenAI${ending}` };
    expect(eventOf({ attributes }).provider).toBe('openai');
  },
);
