/**
 * The TypeScript client of Spanledger: it records calls to language models, withholds what must not leave
 * the process, and hands the rest to the server in batches.
 */
export { aiMiddleware, type Middleware } from './ai-sdk.ts';
export { type WrapAnthropicOptions, wrapAnthropic } from './anthropic.ts';
export type { Call } from './call.ts';
export { type Client, createClient, type FlushOptions, type WaitUntil } from './client.ts';
export type { Stats } from './delivery.ts';
export type { EventFields, EventKind, EventStatus, SpanledgerEvent } from './event.ts';
export { type WrapOpenAIOptions, wrapOpenAI } from './openai.ts';
export type { ClientOptions, Fetch } from './options.ts';
export type { Problem } from './problems.ts';
export { hashPrompt, normalizePrompt, type Prompt } from './prompt.ts';
export { DEFAULT_REDACT_KEYS } from './redact.ts';
export type { Span, SpanFields } from './span.ts';
