type Value = string | number;

const attribute = (key: string, value: Value) => ({
  key,
  value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
});

/**
 * A recorded body that shows what the inspector can explain: an agent and its tool, a call reported by two
 * instrumentations, names of older conventions, content, an unknown attribute, a stream without tokens, a refused
 * span.
 * @param now epoch milliseconds
 */
export function exampleBody(now: number): string {
  const span = (id: string, name: string, attributes: Readonly<Record<string, Value>>, parent?: string) => ({
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: id.padStart(16, '0'),
    ...(parent === undefined ? {} : { parentSpanId: parent.padStart(16, '0') }),
    name,
    kind: 3,
    startTimeUnixNano: `${now - 2_000}000000`,
    endTimeUnixNano: `${now - 1_160}000000`,
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
    status: { code: 0 },
  });
  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.system': 'openai',
    'gen_ai.request.model': 'gpt-4o',
  };
  const spans = [
    span('a1', 'answer a ticket', {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'support',
    }),
    span(
      'a2',
      'chat gpt-4o',
      {
        ...chat,
        'gen_ai.usage.prompt_tokens': 1_200,
        'gen_ai.usage.completion_tokens': 48,
        'gen_ai.usage.cache_read.input_tokens': 1_024,
        'gen_ai.response.id': 'chatcmpl-1',
        'gen_ai.input.messages': '[{"role":"user","content":"Where is my parcel?"}]',
        'session.id': 'ticket-4711',
        'acme.shard': 'eu-3',
      },
      'a1',
    ),
    span(
      'a3',
      'POST chat/completions',
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 1_200,
        'gen_ai.usage.output_tokens': 48,
      },
      'a2',
    ),
    span(
      'a4',
      'find_parcel',
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'find_parcel' },
      'a1',
    ),
    span('a5', 'chat gpt-4o', { ...chat, 'acme.tokens.in': 310, 'gen_ai.request.stream': 'true' }, 'a1'),
    { ...span('a6', 'chat gpt-4o', chat, 'a1'), traceId: '0'.repeat(32) },
  ];
  const resource = {
    attributes: [attribute('service.name', 'support'), attribute('deployment.environment', 'staging')],
  };
  const scope = { name: 'acme.instrumentation', version: '1.4.0' };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }, null, 2);
}
