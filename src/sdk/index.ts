/**
 * The TypeScript client of Spanledger. It records calls to language models, redacts sensitive values before they
 * leave the process, and sends events to the server in batches.
 */

export type { PromptMessage } from '../lib/prompts/fill-template.ts';
export { DEFAULT_REDACT_KEYS } from '../lib/sensitive-keys.ts';
export type { Call } from './call.ts';
export { type Client, createClient, type FlushOptions, type ScopeFields, type WaitUntil } from './client.ts';
export { ApiError } from './datasets/api.ts';
export type { Dataset, DatasetItem, ItemsOptions, NewDatasetItem } from './datasets/dataset.ts';
export type {
  ComparedFigure,
  ExperimentEvaluator,
  ExperimentOptions,
  ExperimentResult,
  Figure,
  Scores,
} from './datasets/experiment-options.ts';
export type { EventFields, EventKind, EventStatus, SpanledgerEvent } from './event.ts';
export { aiMiddleware, type Middleware } from './frameworks/ai-sdk.ts';
export { type LangChainHandler, type LangChainOptions, langChainHandler } from './frameworks/langchain.ts';
export type { Mask } from './mask.ts';
export type { OpenTelemetryApi } from './open-telemetry.ts';
export type { ClientOptions, Fetch } from './options.ts';
export type { Problem } from './problems.ts';
export { hashPrompt, normalizePrompt, type Prompt } from './prompt.ts';
export type {
  LibraryPrompt,
  PromptConfig,
  PromptFallback,
  PromptOptions,
} from './prompts/prompt-options.ts';
export type { Stats } from './send/delivery.ts';
export type { ScoreFields } from './send/scores.ts';
export type { Span, SpanFields } from './span.ts';
export { type WrapAnthropicOptions, wrapAnthropic } from './wrap/anthropic.ts';
export { type WrapBedrockOptions, wrapBedrock } from './wrap/bedrock.ts';
export { type WrapCohereOptions, wrapCohere } from './wrap/cohere.ts';
export { type WrapGoogleGenAIOptions, wrapGoogleGenAI } from './wrap/google.ts';
export { type WrapGroqOptions, wrapGroq } from './wrap/groq.ts';
export { type WrapMistralOptions, wrapMistral } from './wrap/mistral.ts';
export { type WrapOpenAIOptions, wrapOpenAI } from './wrap/openai.ts';
export { type WrapRealtimeOptions, wrapRealtime } from './wrap/realtime.ts';
