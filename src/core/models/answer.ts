import type { CallEnd, ModelToolCall } from './contract.ts';

/** What the ledger has of a call. */
export type Recorded = Pick<
  CallEnd,
  | 'timestamp'
  | 'inputTokens'
  | 'outputTokens'
  | 'cachedInputTokens'
  | 'reasoningTokens'
  | 'costUsd'
  | 'costStatus'
>;

/** What a call said. */
type Said = {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ModelToolCall[];
};

/** How a call ended, and what was said: also what arrived of a call that failed. */
export type ModelAnswer = CallEnd & Said;

/** What is known of an ended call before its event is stored. */
export type Told = Omit<CallEnd, keyof Recorded>;

/** What is kept of a call with a key. */
export type Kept = Told & Said;
