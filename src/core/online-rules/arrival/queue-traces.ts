import type { Effect, EffectCall } from '../../../db/effects.ts';
import { HOUR_MS, MINUTE_MS, monthKey } from '../../../lib/time.ts';
import type { RecordedBatch } from '../../events/index.ts';
import { MAX_WAITING } from '../contract.ts';

/** A trace that keeps getting spans is judged at the latest this long after its delay. */
const LATEST_MS = HOUR_MS;
/** A backlog is counted again after this, because other servers add to it, too. */
const RECOUNT_MS = MINUTE_MS;

/** Traces of a batch for the backlog of a rule. `events`: the places of the trace's events in the batch. */
export type QueuedTrace = { readonly traceId: string; readonly events: readonly number[] };
type Queue = {
  readonly project: number;
  readonly projectId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly rules: readonly {
    readonly id: string;
    readonly delayMs: number;
    readonly traces: readonly QueuedTrace[];
  }[];
};

/**
 * Adds traces to the backlogs of rules in the transaction of their events, or puts off those that wait. A trace that was
 * judged stays judged. Events that were stored before change nothing.
 */
export const queueTraces: Effect<Queue, RecordedBatch, void> = {
  name: 'online_rules.queue',
  open(connection) {
    const insert = connection.prepare(
      `INSERT INTO online_rule_items (rule_id, trace_id, project, state, due_at, created_at, tries)
       SELECT ?1, ?2, ?3, 'waiting', ?4, ?5, 0 WHERE EXISTS (SELECT 1 FROM online_rules WHERE id = ?1)
       ON CONFLICT (rule_id, trace_id) DO UPDATE SET due_at = min(excluded.due_at, created_at + ?6)
       WHERE state = 'waiting' AND tries = 0`,
    );
    const putOff = connection.prepare(
      `UPDATE online_rule_items SET due_at = min(?3, created_at + ?4)
       WHERE rule_id = ?1 AND trace_id = ?2 AND state = 'waiting' AND tries = 0`,
    );
    const count = connection
      .prepare("SELECT count(*) FROM online_rule_items WHERE rule_id = ? AND state = 'waiting'")
      .raw(true);
    const drop = connection.prepare(
      `INSERT INTO online_rule_months (rule_id, month, project_id, dropped) VALUES (?, ?, ?, ?)
       ON CONFLICT (rule_id, month) DO UPDATE SET dropped = dropped + excluded.dropped`,
    );
    const waiting = (ruleId: string): number => Number((count.all([ruleId]) as number[][])[0]?.[0] ?? 0);
    /** Sizes of the backlogs; `at`: when they were counted. */
    let sizes = new Map<string, { size: number; at: number }>();
    const hasRoom = (ruleId: string, now: number): boolean => {
      let known = sizes.get(ruleId);
      if (known === undefined || now - known.at > RECOUNT_MS) {
        known = { size: waiting(ruleId), at: now };
        sizes.set(ruleId, known);
      }
      return known.size++ < MAX_WAITING;
    };
    return {
      apply({ project, projectId, now, rules }, { dropped }) {
        const isOld = new Set(dropped);
        for (const { id, delayMs, traces } of rules) {
          let left = 0;
          for (const { traceId, events } of traces) {
            if (events.every((place) => isOld.has(place))) continue;
            const due = now + delayMs;
            const latest = delayMs + LATEST_MS;
            if (putOff.run([id, traceId, due, latest]).changes > 0) continue;
            if (hasRoom(id, now)) insert.run([id, traceId, project, due, now, latest]);
            else left++;
          }
          if (left > 0) drop.run([id, monthKey(now), projectId, left]);
        }
      },
      discard() {
        sizes = new Map();
      },
    };
  },
};

/** The effect as data; none without traces. */
export function queueCall(queue: Queue): EffectCall[] {
  const rules = queue.rules.filter(({ traces }) => traces.length > 0);
  if (rules.length === 0) return [];
  const rows = rules.reduce((sum, { traces }) => sum + traces.length, 0);
  return [{ effect: queueTraces.name, payload: { ...queue, rules }, rows }];
}
