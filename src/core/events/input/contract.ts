import { z } from 'zod';
import { EVENT_KINDS, EVENT_STATUSES, MAX_TOKENS } from '../contract.ts';

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((s) => !s.includes('\0'), 'must not contain a NUL character');
const optionalText = (max: number, description: string) =>
  text(max).nullish().describe(`${description} At most ${max} characters.`);
const tokens = (description: string) =>
  z.int().min(0).max(MAX_TOKENS).nullish().describe(`${description} Whole, 0 to 1e9. Default: 0.`);
const milliseconds = (description: string) => z.number().min(0).max(1e10).nullish().describe(description);
const jsonObject = (description: string) => z.record(z.string(), z.unknown()).nullish().describe(description);

/**
 * One event as a client sends it: a line of `POST /v1/ingest`. Fields that are not named here are kept in
 * `metadata`. `parseEvent` applies the defaults and the rule that a call needs `model` and `provider`.
 */
export const eventInputSchema = z
  .looseObject({
    event_id: z
      .guid('must be a UUID')
      .nullish()
      .describe('UUID of the event. Send the same one again when you retry. Default: a new one.'),
    trace_id: text(128).min(1).nullish().describe('Groups the events of one trace. Default: a new id.'),
    span_id: text(128).min(1).nullish().describe('Identifies the event in its trace. Default: a new id.'),
    parent_span_id: optionalText(128, '`span_id` of the parent.'),
    timestamp: optionalText(
      64,
      'Start of the call, ISO 8601, such as `2026-11-23T10:00:00Z`, at most 10 years back and a day ahead. Default: the time of receipt.',
    ),
    kind: z
      .enum(EVENT_KINDS)
      .nullish()
      .describe('Kind of event; `llm` and `embedding` are calls, which cost money. Default: `llm`.'),
    name: optionalText(500, 'Name of the span.'),
    provider: optionalText(
      200,
      'Provider, such as `openai`, `anthropic`, `google`, `aws`, `azure` or `mistral`; Settings, Prices lists all that have prices. Required for calls.',
    ),
    model: optionalText(300, 'Model, as the provider names it. Required for calls.'),
    operation: optionalText(500, 'What was called, such as `chat.completions`.'),
    status: z.enum(EVENT_STATUSES).nullish().describe('Outcome. Default: `success`.'),
    error_code: optionalText(200, "The provider's error code; failed calls are grouped by it."),
    error_message: optionalText(10_000, 'Error message.'),
    latency_ms: milliseconds('Duration in milliseconds, 0 to 1e10. Default: unknown.'),
    ttft_ms: milliseconds('Time to the first token in milliseconds. Default: unknown.'),
    input_tokens: tokens('Input tokens, those below included; Anthropic counts them apart.'),
    output_tokens: tokens('Output tokens, reasoning included.'),
    cached_input_tokens: tokens('Those of the input that were read from a prompt cache.'),
    cache_write_tokens: tokens('Those of the input that were written to a prompt cache.'),
    reasoning_tokens: tokens('Those of the output that were reasoning.'),
    cost_usd: z
      .number()
      .min(0)
      .max(10_000)
      .nullish()
      .describe('Cost in USD, 0 to 10,000, if you know it: it is stored instead of a computed one.'),
    stream: z.boolean().nullish().describe('Whether the reply was streamed. Default: false.'),
    environment: optionalText(200, 'Environment. Default: `production`.'),
    user_id: optionalText(500, 'End user on whose behalf the call was made.'),
    session_id: optionalText(500, 'Conversation that the call belongs to.'),
    agent: optionalText(300, 'Agent that made the call. Default for an event of kind `agent`: its `name`.'),
    agent_version: optionalText(100, 'Version of that agent, as its authors declare it.'),
    tool: optionalText(300, 'Tool that was called. Default for an event of kind `tool`: its `name`.'),
    release: optionalText(200, 'Release of your application.'),
    prompt_name: optionalText(300, 'Name of the prompt template.'),
    prompt_version: optionalText(100, 'Version of the prompt template.'),
    prompt_hash: optionalText(200, 'Hash of the prompt template.'),
    sdk_version: optionalText(200, 'Name and version of the sending SDK.'),
    finish_reason: optionalText(200, 'Why the model stopped, in the words of the provider.'),
    tags: jsonObject('Tags by which costs can be split, such as `{"team":"support"}`.'),
    metadata: jsonObject('Anything else to keep with the event.'),
    usage: jsonObject("The provider's usage object; token counts are read from it where none are sent."),
    input: z.unknown().optional().describe('Prompt or messages; stored only if the project stores prompts.'),
    output: z.unknown().optional().describe('Completion; stored only if the project stores prompts.'),
  })
  .meta({ id: 'EventInput' });
export type EventInput = z.input<typeof eventInputSchema>;

/** An event that ingest accepts, for the reference. */
export const EXAMPLE_EVENT = {
  provider: 'openai',
  model: 'gpt-4o',
  operation: 'chat.completions',
  status: 'success',
  latency_ms: 840,
  ttft_ms: 210,
  input_tokens: 1200,
  output_tokens: 350,
  cached_input_tokens: 800,
  environment: 'production',
  user_id: 'user_42',
  session_id: 'chat_7',
  tags: { team: 'support' },
} satisfies EventInput;
