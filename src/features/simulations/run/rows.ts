import type { Ended } from '../../../lib/simulations/conversation/run-conversation.ts';
import { failuresOf, type Turn } from '../../../lib/simulations/definition.ts';
import type { simulationConversations, simulationTurns } from '../table.ts';

const MAX_FAILURE = 500;

/** Nano-dollars; null stays unknown. */
export const nanoOf = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * 1e9));

type EndedRow = Partial<typeof simulationConversations.$inferInsert>;
type AnswerRow = Partial<typeof simulationTurns.$inferInsert>;

/** What a turn keeps of its answer. */
export const toAnswerRow = (turn: Turn): AnswerRow => ({
  answer: turn.error === null ? turn.text : null,
  toolCalls: turn.toolCalls,
  latencyMs: turn.latencyMs,
  costNano: nanoOf(turn.costUsd),
  traceId: turn.traceId,
  error: turn.error,
  verdicts: turn.verdicts,
});

/** What a conversation keeps when it has ended at `at`, in epoch milliseconds. */
export const toEndedRow = (ended: Ended, at: number): EndedRow & { readonly state: 'done' } => ({
  state: 'done',
  outcome: ended.outcome,
  criteria: ended.criteria,
  failure: failuresOf(ended)[0]?.slice(0, MAX_FAILURE) ?? null,
  turns: ended.turns.length,
  latencyMs: ended.turns.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
  costNano: Math.round(ended.costUsd * 1e9),
  targetCostNano: Math.round(ended.targetCostUsd * 1e9),
  unknownCosts: ended.unknownCosts,
  endedAt: new Date(at),
});
