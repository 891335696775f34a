import type { ProjectScope } from '../../../core/tenancy/index.ts';
import type { Plan } from '../../../lib/simulations/plan.ts';
import type { RunRow } from '../queries.ts';
import type { Secrets } from '../secrets.ts';
import type { simulationConversations } from '../table.ts';

export type ConversationRow = typeof simulationConversations.$inferSelect;
/** All that the conversations of a run need. */
export type RunContext = {
  readonly run: RunRow;
  readonly scope: ProjectScope;
  /** By the place of the scenario in the suite. */
  readonly plans: ReadonlyMap<number, Plan>;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
};

/** A conversation of a run, and the names of the calls of models that it made and that are not forgotten yet. */
export type Place = {
  readonly conversation: ConversationRow;
  readonly plan: Plan;
  /** Name of a call: an answer under it is not paid for again. */
  key(what: string): string;
  /** Trace of a turn: the same after a crash. */
  trace(turn: number): string;
};
