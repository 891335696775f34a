import { describe, expect, test } from 'bun:test';
import type { ParsedEvent } from '../../../src/core/events/index.ts';
import { eventOf, eventsOf, type SpanSpec } from './otlp.ts';

const chat = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
};
const answered = { ...chat, 'gen_ai.usage.output_tokens': 48 };
type Outcome = Partial<Pick<ParsedEvent, 'status' | 'error_code' | 'error_message'>>;

const scenarios: readonly (readonly [string, SpanSpec, Outcome])[] = [
  ['status 0', { attributes: answered }, { status: 'success', error_code: null, error_message: null }],
  ['status 1', { code: 1, attributes: answered }, { status: 'success' }],
  [
    'otel-contrib, 429',
    { code: 2, message: '429 slow down', attributes: { ...chat, 'error.type': 'RateLimitError' } },
    { status: 'rate_limited', error_code: 'RateLimitError', error_message: '429 slow down' },
  ],
  [
    'otel-contrib, 500',
    { code: 2, message: '500 oops', attributes: { ...chat, 'error.type': 'InternalServerError' } },
    { status: 'error', error_code: 'InternalServerError', error_message: '500 oops' },
  ],
  [
    'otel-contrib, timeout',
    { code: 2, attributes: { ...chat, 'error.type': 'APIConnectionTimeoutError' } },
    { status: 'timeout', error_code: 'APIConnectionTimeoutError', error_message: null },
  ],
  [
    'otel-contrib, abort',
    { code: 2, attributes: { ...chat, 'error.type': 'APIUserAbortError' } },
    { status: 'cancelled' },
  ],
  [
    'anthropic-sdk-native, 429 without a message',
    { code: 2, attributes: { ...chat, 'error.type': 'rate_limit_error', 'http.response.status_code': 429 } },
    { status: 'rate_limited', error_code: 'rate_limit_error', error_message: null },
  ],
  [
    'traceloop-sdk, an exception without error.type',
    {
      code: 2,
      attributes: chat,
      exception: { 'exception.type': 'TypeError', 'exception.message': 'no model' },
    },
    { status: 'error', error_code: 'TypeError', error_message: 'no model' },
  ],
  [
    'vercel-ai-v7, only an HTTP status',
    { code: 2, attributes: { ...chat, 'http.response.status_code': 429 } },
    { status: 'rate_limited', error_code: '429' },
  ],
  [
    'langfuse-otel: status 0 and a level',
    {
      attributes: {
        ...chat,
        'langfuse.observation.level': 'ERROR',
        'langfuse.observation.status_message': 'Request timed out',
      },
    },
    { status: 'timeout', error_code: 'timeout', error_message: 'Request timed out' },
  ],
  [
    'langsmith-otel: status 1 and an exception',
    {
      code: 1,
      attributes: { ...chat, 'langsmith.span.kind': 'llm' },
      exception: { 'exception.message': '429 Too Many Requests' },
    },
    { status: 'rate_limited', error_message: '429 Too Many Requests' },
  ],
  [
    'an exception beside an answer was caught',
    { attributes: answered, exception: { 'exception.type': 'X' } },
    { status: 'success' },
  ],
  [
    'an exception without an answer was not',
    { attributes: chat, exception: { 'exception.type': 'X' } },
    { status: 'error', error_code: 'X' },
  ],
  [
    'the finish reason error',
    { attributes: { ...chat, 'gen_ai.response.finish_reasons': ['error'] } },
    { status: 'error' },
  ],
  [
    'an HTTP span with 429 is an error, not a rate limit',
    { code: 2, attributes: { 'http.response.status_code': 429 } },
    { status: 'error', error_code: '429' },
  ],
  [
    'an HTTP server span with 404 that is not marked as failed',
    { attributes: { 'http.response.status_code': 404 } },
    { status: 'success' },
  ],
  [
    'anthropic-sdk-native, abort: neither marked as ended well nor as failed',
    { attributes: chat, scope: { name: 'com.anthropic.sdk.typescript', version: '1.11.0' } },
    { status: 'cancelled', error_code: 'cancelled', error_message: null },
  ],
  [
    'anthropic-sdk-native, success',
    { code: 1, attributes: answered, scope: { name: 'com.anthropic.sdk.typescript', version: '1.11.0' } },
    { status: 'success' },
  ],
  [
    'langchain: the HTTP status at the start of the message, and a stack after it',
    {
      code: 2,
      message: '500 The server had an error\n\nError: 500\n    at run (/srv/app.js:1:2)',
      attributes: chat,
    },
    { status: 'error', error_code: '500', error_message: '500 The server had an error\n\nError: 500' },
  ],
  [
    'an error type that says nothing',
    { code: 2, message: 'Error: 429 slow down', attributes: { ...chat, 'error.type': '_OTHER' } },
    { status: 'rate_limited', error_code: '429' },
  ],
  [
    'a tool that ran out of time',
    { code: 2, message: 'deadline exceeded', attributes: { 'gen_ai.operation.name': 'execute_tool' } },
    { status: 'timeout' },
  ],
];

describe('the status of a span', () => {
  test.each(scenarios.map(([name, span, outcome]) => [name, span, outcome] as const))(
    '%s',
    (_, span, outcome) => {
      expect(eventOf(span)).toMatchObject(outcome);
    },
  );

  test('sentry-node: a failed call without a reason takes the status of its HTTP request', () => {
    const http = {
      name: 'POST',
      parent: '1',
      code: 2,
      attributes: { 'http.response.status_code': 429 },
    } as const;
    const [call, request] = eventsOf({ id: '1', code: 2, attributes: chat }, { id: '2', ...http });
    expect(call).toMatchObject({ status: 'rate_limited', error_code: '429' });
    expect(request).toMatchObject({ kind: 'span', status: 'error' });
  });
});
