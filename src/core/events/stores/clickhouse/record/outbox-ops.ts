import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';

/** What is to be inserted into the engine, with what belongs to it in the control plane. */
export type OutboxWrite = {
  readonly project: number;
  /** Null if nothing is to be inserted. */
  readonly entry: Uint8Array | null;
  /** Events without a timestamp, and when they were first received. */
  readonly undated: readonly { readonly id: string; readonly ts: number }[];
  readonly effects: readonly EffectCall[];
  /** What the effects are told. */
  readonly outcome: object;
};

/** `no` is the number of the entry; null without one. */
export type OutboxReply = { readonly no: number | null; readonly results: unknown[] };

/**
 * Commits the effects of a batch together with what is to be inserted into the engine. From then on the batch is
 * stored: the insert is repeated until it succeeds, also after a crash.
 */
export const outboxOp: WriteOp<OutboxWrite, OutboxReply> = {
  name: 'events.outbox',
  open(connection, { effects }) {
    const insert = connection
      .prepare('INSERT INTO event_outbox (project, entry) VALUES (?, ?) RETURNING no')
      .raw(true);
    const note = connection.prepare(
      'INSERT INTO undated_events (project, event_id, ts) VALUES (?, unhex(?), ?) ON CONFLICT DO NOTHING',
    );
    return {
      apply({ project, entry, undated, effects: calls, outcome }) {
        const results = effects.apply(calls, outcome);
        for (const { id, ts } of undated) note.run([project, id.replaceAll('-', ''), ts]);
        const no = entry === null ? null : Number((insert.get([project, entry]) as [number])[0]);
        return { no, results };
      },
    };
  },
};

/** Forgets entries that the engine has. */
export const outboxDoneOp: WriteOp<readonly number[], null> = {
  name: 'events.outbox_done',
  open(connection) {
    const remove = connection.prepare('DELETE FROM event_outbox WHERE no = ?');
    return {
      apply(numbers) {
        for (const no of numbers) remove.run([no]);
        return null;
      },
    };
  },
};
