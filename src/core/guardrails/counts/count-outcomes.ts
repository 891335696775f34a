import type { Effect, EffectCall } from '../../../db/effects.ts';
import { HOUR_MS } from '../../../lib/time.ts';
import type { ParsedEvent, RecordedBatch } from '../../events/index.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import { readNote } from './read-note.ts';

/** One event of a guardrail: its place in the batch, and the rows that it counts in. */
type Counted = {
  readonly at: number;
  readonly hour: number;
  readonly guardrail: string;
  readonly environment: string;
  readonly model: string;
  readonly userId: string;
  readonly rows: readonly { readonly check: string; readonly outcome: string }[];
};
type Payload = { readonly project: number; readonly counted: readonly Counted[] };

/** Most rows of a project in an hour; what is beyond is counted without user and model. */
const MAX_ROWS = 5_000;

/** Counts outcomes of guardrails in the transaction of their events, so that an event is never counted twice. */
export const countOutcomes: Effect<Payload, RecordedBatch, void> = {
  name: 'guardrails.count',
  open(connection) {
    const add = connection.prepare(
      `INSERT INTO guardrail_counts (project, hour, guardrail, check_kind, outcome, environment, model, user_id, count)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, iif(n < ${MAX_ROWS}, ?7, ''), iif(n < ${MAX_ROWS}, ?8, ''), 1
       FROM (SELECT count(*) AS n FROM guardrail_counts WHERE project = ?1 AND hour = ?2) WHERE true
       ON CONFLICT DO UPDATE SET count = count + 1`,
    );
    return {
      apply({ project, counted }, { dropped }) {
        for (const { at, hour, guardrail, environment, model, userId, rows } of counted) {
          if (dropped.includes(at)) continue;
          for (const { check, outcome } of rows) {
            add.run([project, hour, guardrail, check, outcome, environment, model, userId]);
          }
        }
      },
    };
  },
};

/** The effect that counts the guardrails of some events; none without such events. */
export function guardrailEffects(
  { no: project }: ProjectScope,
  events: readonly ParsedEvent[],
): EffectCall[] {
  const counted: Counted[] = [];
  for (const [at, event] of events.entries()) {
    if (event.kind !== 'guardrail') continue;
    const note = readNote(event.metadata);
    if (note === null) continue;
    const found = note.outcome !== 'allow';
    counted.push({
      at,
      hour: Math.floor(event.ts / HOUR_MS) * HOUR_MS,
      guardrail: note.name,
      environment: event.environment,
      model: event.model ?? '',
      // Who sent what passed is nothing to note.
      userId: found ? (event.user_id ?? '') : '',
      rows: [
        { check: '', outcome: note.outcome },
        ...note.checks.filter(({ outcome }) => outcome !== 'allow'),
      ],
    });
  }
  const payload: Payload = { project, counted };
  return counted.length === 0 ? [] : [{ effect: countOutcomes.name, payload, rows: counted.length }];
}
