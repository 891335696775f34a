import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import { GIVE_BACK, HAS_TURN, type TurnMark } from '../../../../../db/remote/turns.ts';
import { unavailable } from '../../../../../errors.ts';

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
  /** The turn in which the project was looked at; null if no other process can change it. */
  readonly turn: TurnMark | null;
};

/** `no` is the number of the entry; null without one. */
export type OutboxReply = { readonly no: number | null; readonly results: unknown[] };

/**
 * Commits the effects of a batch together with what is to be inserted into the engine. From then on the batch is
 * stored: the insert is repeated until it succeeds, also after a crash. Rejected with 503 if the turn is over, because
 * another process may have stored the same events since they were looked up.
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
    // A file has no turns.
    const insertInTurn = (project: number, entry: Uint8Array, { name, holder, seq }: TurnMark): unknown =>
      connection
        .prepare(`INSERT INTO event_outbox (project, entry) SELECT ?, ? WHERE ${HAS_TURN} RETURNING no`)
        .raw(true)
        .get([project, entry, name, holder, seq]);
    return {
      apply({ project, entry, undated, effects: calls, outcome, turn }) {
        const results = effects.apply(calls, outcome);
        for (const { id, ts } of undated) note.run([project, id.replaceAll('-', ''), ts]);
        if (entry === null) return { no: null, results };
        const row = turn === null ? insert.get([project, entry]) : insertInTurn(project, entry, turn);
        if (row === undefined) {
          effects.discard();
          throw unavailable('Another server took over the events of this project; try again', 1);
        }
        return { no: Number((row as [number])[0]), results };
      },
    };
  },
};

/** What is over: entries that the engine has, and turns. */
export type OutboxDone = { readonly numbers: readonly number[]; readonly turns: readonly TurnMark[] };

/** Forgets entries that the engine has, and gives turns back. */
export const outboxDoneOp: WriteOp<OutboxDone, null> = {
  name: 'events.outbox_done',
  open(connection) {
    const remove = connection.prepare('DELETE FROM event_outbox WHERE no = ?');
    return {
      apply({ numbers, turns }) {
        for (const no of numbers) remove.run([no]);
        for (const { name, holder, seq } of turns) connection.prepare(GIVE_BACK).run([name, holder, seq]);
        return null;
      },
    };
  },
};
