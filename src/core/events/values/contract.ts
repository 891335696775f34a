/** Event status values. The store saves the index, so the order must not change. */
export const EVENT_STATUSES = ['success', 'error', 'timeout', 'rate_limited', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Kinds of an event. `llm` and `embedding` are calls; the rest are spans. */
export const EVENT_KINDS = [
  'llm',
  'embedding',
  'tool',
  'agent',
  'chain',
  'retrieval',
  'guardrail',
  'span',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/**
 * How an event's cost came about: from a price, without a price, as the sender stated it, or from a price
 * that leaves something open (its explanation says what). The index is what the store keeps.
 */
export const COST_STATUSES = ['priced', 'unpriced', 'client', 'estimated'] as const;
export type CostStatus = (typeof COST_STATUSES)[number];
