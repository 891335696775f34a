import type { ReadOp } from '../../../db/reader.ts';
import type { Outcome } from '../../../lib/simulations/definition.ts';
import type { SimulatedConversation } from '../runs/contract.ts';

type Wanted = {
  readonly id: string;
  readonly outcome: Outcome | null;
  readonly scenario: string | null;
  readonly after: number;
  readonly limit: number;
  /** Only the one with this number. */
  readonly only: number | null;
};

type Row = SimulatedConversation & { readonly round: number; readonly criteria: string | null };

/** Conversations of a run in their order. */
export const conversationsRead: ReadOp<Wanted, Row[]> = {
  name: 'simulations.conversations',
  run: (reader, { id, outcome, scenario, after, limit, only }) =>
    reader.all<Row>(
      `SELECT no, scenario, repetition, state, outcome, failure, turns, latency_ms AS latencyMs,
         cost_nano / 1e9 AS costUsd, round, criteria
       FROM simulation_conversations
       WHERE run_id = ?1 AND no > ?2 AND (?3 IS NULL OR outcome = ?3) AND (?4 IS NULL OR scenario = ?4) AND (?5 IS NULL OR no = ?5)
       ORDER BY no LIMIT ?6`,
      [id, after, outcome, scenario, only, limit],
    ),
};

export type TurnRow = {
  readonly turn: number;
  readonly user: string;
  readonly answer: string | null;
  readonly toolCalls: string | null;
  readonly latencyMs: number | null;
  readonly costUsd: number | null;
  readonly traceId: string | null;
  readonly error: string | null;
  readonly verdicts: string | null;
};

/** The messages of a conversation. */
export const turnsRead: ReadOp<{ readonly id: string; readonly no: number }, TurnRow[]> = {
  name: 'simulations.turns',
  run: (reader, { id, no }) =>
    reader.all<TurnRow>(
      `SELECT turn, user, answer, tool_calls AS toolCalls, latency_ms AS latencyMs, cost_nano / 1e9 AS costUsd,
         trace_id AS traceId, error, verdicts
       FROM simulation_turns WHERE run_id = ? AND no = ? ORDER BY turn`,
      [id, no],
    ),
};
