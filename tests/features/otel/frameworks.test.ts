import { describe, expect, test } from 'bun:test';
import type { ParsedEvent } from '../../../src/core/events/index.ts';
import { createPricer, normalizeUsage } from '../../../src/core/pricing/index.ts';
import { eventOf, eventsOf, genAi, type SpanSpec, spanId, tokens } from './otlp.ts';

type Scenario = readonly [framework: string, span: SpanSpec, event: Partial<ParsedEvent>, usd: number];

const million = 1e6;

/** A call of each framework as it sends it, what is read of it, and its cost by the provider's price list. */
const calls: readonly Scenario[] = [
  [
    "Google's ADK, which names itself as the system",
    {
      name: 'call_llm',
      attributes: {
        'gen_ai.system': 'gcp.vertex.agent',
        'gen_ai.operation.name': 'generate_content',
        'gen_ai.request.model': 'gemini-2.5-flash',
        'gcp.vertex.agent.session_id': 'session-1',
        'gcp.vertex.agent.llm_request': '{"contents":[]}',
        ...tokens(1000, 100),
      },
    },
    { kind: 'llm', provider: 'google', model: 'gemini-2.5-flash', session_id: 'session-1' },
    (1000 * 0.3 + 100 * 2.5) / million,
  ],
  [
    'ADK with a model of another provider',
    {
      attributes: {
        ...genAi('gcp.vertex.agent', 'openai/gpt-4o', tokens(1000, 100)),
        'gen_ai.operation.name': 'generate_content',
      },
    },
    { kind: 'llm', provider: 'openai' },
    0.0035,
  ],
  [
    'Strands, on Bedrock',
    {
      attributes: {
        'gen_ai.system': 'strands-agents',
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'us.anthropic.claude-sonnet-4-20250514-v1:0',
        ...tokens(1000, 100),
      },
    },
    { kind: 'llm', provider: 'aws' },
    (1000 * 3 + 100 * 15) / million,
  ],
  [
    'Genkit, whose counts are in its output',
    {
      name: 'googleai/gemini-2.5-flash',
      attributes: {
        'genkit:type': 'action',
        'genkit:metadata:subtype': 'model',
        'genkit:name': 'googleai/gemini-2.5-flash',
        'genkit:output': JSON.stringify({
          message: { role: 'model', content: [{ text: 'Paris' }] },
          usage: { inputTokens: 1000, outputTokens: 60, thoughtsTokens: 40, totalTokens: 1100 },
        }),
      },
    },
    { kind: 'llm', provider: 'google', input_tokens: 1000, output_tokens: 100, reasoning_tokens: 40 },
    (1000 * 0.3 + 100 * 2.5) / million,
  ],
  [
    'Mastra',
    {
      attributes: {
        ...genAi('openai', 'gpt-4o', tokens(1000, 100)),
        'gen_ai.operation.name': 'chat',
        'mastra.span.type': 'model_generation',
        'mastra.metadata.userId': 'ada',
        'mastra.metadata.threadId': 'thread-1',
      },
    },
    { kind: 'llm', user_id: 'ada', session_id: 'thread-1' },
    0.0035,
  ],
  [
    'LangGraph through OpenInference, with its metadata as JSON',
    {
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.provider': 'openai',
        'llm.model_name': 'gpt-4o',
        'llm.token_count.prompt': 1000,
        'llm.token_count.completion': 100,
        metadata: JSON.stringify({ thread_id: 'thread-2', user_id: 'bob', langgraph_step: 3 }),
      },
    },
    { kind: 'llm', provider: 'openai', user_id: 'bob', session_id: 'thread-2' },
    0.0035,
  ],
  [
    'OpenLLMetry with Gemini: reasoning beside the output, as the total shows',
    {
      attributes: {
        ...genAi('gcp.gemini', 'gemini-2.5-flash', tokens(1000, 100)),
        'gen_ai.operation.name': 'generate_content',
        'gen_ai.usage.reasoning_tokens': 300,
        'llm.usage.total_tokens': 1400,
      },
    },
    { input_tokens: 1000, output_tokens: 400, reasoning_tokens: 300 },
    (1000 * 0.3 + 400 * 2.5) / million,
  ],
  [
    'reasoning within the output, as the total shows',
    {
      attributes: {
        ...genAi('openai', 'gpt-5', tokens(1000, 400)),
        'gen_ai.operation.name': 'chat',
        'gen_ai.usage.reasoning_tokens': 300,
        'llm.usage.total_tokens': 1400,
      },
    },
    { output_tokens: 400, reasoning_tokens: 300 },
    (1000 * 1.25 + 400 * 10) / million,
  ],
];

const pricer = createPricer();

describe('a call of each framework', () => {
  test.each(calls.map(([framework, ...rest]) => [framework, rest] as const))(
    '%s',
    (_, [span, event, usd]) => {
      const read = eventOf(span);
      expect(read).toMatchObject(event);
      const price = pricer.priceCall({ ...read, buckets: normalizeUsage(read).buckets });
      expect(price).toMatchObject({ status: 'priced', cost_nano: Math.round(usd * 1e9) });
    },
  );

  test('the framework is kept, and content is not', () => {
    const [adk] = calls;
    const { metadata } = eventOf((adk as Scenario)[1]);
    expect(metadata).toMatchObject({ framework: 'gcp.vertex.agent' });
    expect(JSON.stringify(metadata)).not.toContain('contents');
  });
});

test('spans take user and session from the spans above them, and never from below', () => {
  const trace = eventsOf(
    { id: spanId('1'), name: 'request', attributes: {} },
    {
      id: spanId('2'),
      parent: spanId('1'),
      name: 'invoke_agent',
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'user.id': 'ada', 'session.id': 's1' },
    },
    { id: spanId('3'), parent: spanId('2'), name: 'cycle', attributes: {} },
    {
      id: spanId('4'),
      parent: spanId('3'),
      attributes: { ...genAi('strands-agents', 'gpt-4o', tokens(1, 1)), 'gen_ai.operation.name': 'chat' },
    },
    {
      id: spanId('5'),
      parent: spanId('3'),
      attributes: { ...genAi('openai', 'gpt-4o', tokens(1, 1)), 'session.id': 's2' },
    },
  );
  expect(trace.map(({ user_id, session_id }) => [user_id, session_id])).toEqual([
    [null, null],
    ['ada', 's1'],
    ['ada', 's1'],
    ['ada', 's1'],
    ['ada', 's2'],
  ]);
});
