import type { Effect, EffectCall } from '../../db/effects.ts';

/** A call whose event is stored. `costNano` is null if its cost is unknown: what was reserved counts then. */
export type Settled = {
  readonly id: string;
  readonly costNano: number | null;
  /** What a call with a key said, as JSON; unset if it failed. */
  readonly answer?: { readonly key: string; readonly json: string };
};

/** Ends a running call and adds its cost to the month in which it began, once, in the transaction of its event. */
export const settleEffect: Effect<Settled> = {
  name: 'models.settle',
  open(connection) {
    const end = connection
      .prepare(
        'DELETE FROM model_calls WHERE id = ? RETURNING organization_id, month, reserved_nano, project_id',
      )
      .raw(true);
    const add = connection.prepare(
      `INSERT INTO model_months (organization_id, month, calls, spent_nano, assumed_nano) VALUES (?, ?, 1, ?, ?)
       ON CONFLICT DO UPDATE SET calls = calls + 1, spent_nano = spent_nano + excluded.spent_nano,
         assumed_nano = assumed_nano + excluded.assumed_nano`,
    );
    const keep = connection.prepare(
      'UPDATE model_answers SET answer = ? WHERE project_id = ? AND key = ? AND event_id = ?',
    );
    return {
      apply({ id, costNano, answer }) {
        const [row] = end.all([id]);
        // A retry of a batch that was stored already.
        if (row === undefined) return;
        const [organization = '', month = '', reserved = 0, project = ''] = row as (string | number)[];
        add.run([organization, month, costNano ?? reserved, costNano === null ? reserved : 0]);
        if (answer !== undefined) keep.run([answer.json, project, answer.key, id]);
      },
    };
  },
};

export const settle = (payload: Settled): EffectCall => ({ effect: settleEffect.name, payload, rows: 3 });
