import { DEMO_STORY } from './story.ts';

/** Behaviour of a model, with figures in the range of its provider's public API. */
export type ModelProfile = {
  readonly provider: string;
  readonly model: string;
  /** Median time to the first token of a short prompt, in milliseconds. */
  readonly ttftMs: number;
  /** Output tokens per second. */
  readonly speed: number;
  /** `automatic`: the provider caches automatically; `explicit`: cache writes are billed. */
  readonly cache: 'automatic' | 'explicit' | 'none';
  /** Median of hidden reasoning tokens, counted in the output; 0 for models that do not reason. */
  readonly reasoning: number;
  readonly finish: FinishReasons;
};

type FinishReasons = { readonly stop: string; readonly tool: string; readonly length: string };

const OPENAI_FINISH: FinishReasons = { stop: 'stop', tool: 'tool_calls', length: 'length' };
const ANTHROPIC_FINISH: FinishReasons = { stop: 'end_turn', tool: 'tool_use', length: 'max_tokens' };
const GOOGLE_FINISH: FinishReasons = { stop: 'STOP', tool: 'STOP', length: 'MAX_TOKENS' };

const openai = { provider: 'openai', cache: 'automatic', reasoning: 0, finish: OPENAI_FINISH } as const;
const anthropic = {
  provider: 'anthropic',
  cache: 'explicit',
  reasoning: 0,
  finish: ANTHROPIC_FINISH,
} as const;
const google = { provider: 'google', cache: 'automatic', reasoning: 0, finish: GOOGLE_FINISH } as const;
const mistral = { provider: 'mistral', cache: 'none', reasoning: 0, finish: OPENAI_FINISH } as const;

/** The models that the demo company calls. */
export const MODELS = {
  'gpt-4o': { ...openai, model: 'gpt-4o', ttftMs: 480, speed: 95 },
  'gpt-4o-mini': { ...openai, model: 'gpt-4o-mini', ttftMs: 390, speed: 110 },
  'gpt-4.1': { ...openai, model: 'gpt-4.1', ttftMs: 520, speed: 100 },
  'o4-mini': { ...openai, model: 'o4-mini', ttftMs: 700, speed: 130, reasoning: 900 },
  'claude-sonnet-4-5': { ...anthropic, model: 'claude-sonnet-4-5', ttftMs: 950, speed: 68 },
  'claude-haiku-4-5': { ...anthropic, model: 'claude-haiku-4-5', ttftMs: 520, speed: 140 },
  'gemini-2.5-flash': { ...google, model: 'gemini-2.5-flash', ttftMs: 420, speed: 190 },
  'gemini-2.5-pro': { ...google, model: 'gemini-2.5-pro', ttftMs: 1600, speed: 110, reasoning: 500 },
  'mistral-large-latest': { ...mistral, model: 'mistral-large-latest', ttftMs: 560, speed: 60 },
  'mistral-small-latest': { ...mistral, model: 'mistral-small-latest', ttftMs: 310, speed: 130 },
  'acme-llm-7b': { ...mistral, ...DEMO_STORY.unpricedModel, ttftMs: 60, speed: 85 },
} as const satisfies Record<string, ModelProfile>;

export type ModelName = keyof typeof MODELS;

/** The model that all embeddings use. */
export const EMBEDDING_MODEL = { provider: 'openai', model: 'text-embedding-3-small' } as const;
