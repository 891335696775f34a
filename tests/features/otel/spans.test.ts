import { describe, expect, test } from 'bun:test';
import type { ParsedEvent } from '../../../src/core/events/index.ts';
import { eventOf, genAi, type SpanSpec, START, TRACE_ID, tokens } from './otlp.ts';

type Scenario = readonly [client: string, span: SpanSpec, event: Partial<ParsedEvent>];

const CLAUDE = { model: 'claude-sonnet-4-5' } as const;

const noCalls: readonly Scenario[] = [
  [
    'a span without any convention',
    { name: 'GET /users', attributes: { 'http.request.method': 'GET' } },
    { kind: 'span' },
  ],
  [
    'anthropic-sdk-native, counting tokens',
    {
      name: 'anthropic.messages.count_tokens',
      code: 1,
      scope: { name: 'com.anthropic.sdk.typescript', version: '1.11.0' },
      attributes: { 'gen_ai.provider.name': 'anthropic', 'gen_ai.request.model': CLAUDE.model },
    },
    { kind: 'span', status: 'success' },
  ],
  [
    'vercel-ai-v7, an agent with the sum of its calls',
    {
      name: 'invoke_agent gpt-4o',
      attributes: { ...genAi('openai', 'gpt-4o', tokens(2400, 96)), 'gen_ai.operation.name': 'invoke_agent' },
    },
    { kind: 'agent' },
  ],
  [
    'vercel-ai-v7, a step',
    { name: 'step 1', attributes: { ...genAi('openai', 'gpt-4o'), 'gen_ai.operation.name': 'agent_step' } },
    { kind: 'agent' },
  ],
  [
    'vercel-ai-v5, the outer span with the totals again',
    {
      name: 'ai.generateText',
      attributes: {
        'ai.operationId': 'ai.generateText',
        'ai.model.provider': 'openai.chat',
        'ai.model.id': 'gpt-4o',
        'ai.usage.inputTokens': 2400,
      },
    },
    { kind: 'chain' },
  ],
  [
    'vercel-ai-v5, a tool',
    { name: 'ai.toolCall', attributes: { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'weather' } },
    { kind: 'tool', tool: 'weather' },
  ],
  [
    'langchain-traceloop, a workflow',
    {
      name: 'workflow RunnableSequence',
      attributes: { 'traceloop.span.kind': 'workflow', 'gen_ai.provider.name': 'langchain' },
    },
    { kind: 'chain' },
  ],
  [
    'langsmith-otel, a chain with a model',
    {
      attributes: {
        'gen_ai.system': 'langchain',
        'gen_ai.operation.name': 'chain',
        'gen_ai.response.model': 'gpt-4o',
        ...tokens(1200, 48),
      },
    },
    { kind: 'chain' },
  ],
  [
    'openai-agents-openinference, an agent',
    {
      attributes: { 'openinference.span.kind': 'AGENT', 'llm.system': 'openai', 'graph.node.id': 'planner' },
    },
    { kind: 'agent', agent: 'planner' },
  ],
  [
    'traceloop, a tool by its entity',
    { attributes: { 'traceloop.span.kind': 'tool', 'traceloop.entity.name': 'search' } },
    { kind: 'tool', tool: 'search', agent: null },
  ],
  [
    'an unknown operation',
    { attributes: { ...genAi('openai', 'gpt-4o', tokens(1, 1)), 'gen_ai.operation.name': 'dream' } },
    { kind: 'span' },
  ],
];

describe('a span that is not a call', () => {
  test.each(noCalls.map(([client, span, event]) => [client, span, event] as const))(
    '%s',
    (_, span, event) => {
      expect(eventOf(span)).toMatchObject({
        ...event,
        provider: null,
        model: null,
        input_tokens: 0,
        output_tokens: 0,
        stream: false,
      });
    },
  );
});

describe('every span', () => {
  test('has its name as operation, its ids in lower case and its duration', () => {
    const event = eventOf({
      name: 'my workflow',
      trace: TRACE_ID.toUpperCase(),
      id: 'AB',
      parent: 'cd',
      start: 1500,
      end: 1750.5,
      resource: {
        'service.name': 'shop',
        'service.version': '1.2.3',
        'deployment.environment.name': 'eu-prod',
      },
    });
    expect(event).toMatchObject({
      operation: 'my workflow',
      trace_id: TRACE_ID,
      span_id: '00000000000000ab',
      parent_span_id: '00000000000000cd',
      ts: START + 1500,
      dated: true,
      latency_ms: 250.5,
      release: '1.2.3',
      environment: 'eu-prod',
      metadata: { 'service.name': 'shop' },
    });
    expect(event.event_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  test('has an event id that depends only on its ids', () => {
    const span = { id: '1', attributes: genAi('openai', 'gpt-4o') };
    expect(eventOf({ ...span, name: 'other' }).event_id).toBe(eventOf(span).event_id);
    expect(eventOf({ ...span, id: '2' }).event_id).not.toBe(eventOf(span).event_id);
  });

  test('has long text cut off and the project’s sensitive keys redacted', () => {
    const long = 'x'.repeat(400);
    const event = eventOf({
      name: `a\0${'ü'.repeat(600)}`,
      attributes: genAi('openai', long, {
        'user.id': 42,
        'server.address': 'db.internal',
        'gen_ai.response.id': long,
      }),
    });
    expect(event.operation).toBe(`a${'ü'.repeat(498)}`);
    expect(event.model).toBe('x'.repeat(300));
    expect(event.user_id).toBe('42');
    expect(event.metadata).toEqual({ 'gen_ai.operation.name': 'chat', 'server.address': '[REDACTED]' });
  });
});
