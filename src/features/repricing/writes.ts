import { type CostState, createCostChange, type EventKey, sumsPart } from '../../core/events/index.ts';
import type { SqlValue } from '../../db/connection.ts';
import type { WriteOp } from '../../db/group-commit.ts';
import type { Change, Cursor } from './page.ts';

/** Some events of a re-pricing in progress; `price` of a change is a number of `event_prices` here. */
export type ApplySlice = {
  readonly id: string;
  readonly project: number;
  readonly changes: readonly Change[];
  /** Where the next slice begins: a process that dies goes on from there. */
  readonly cursor: Cursor;
  readonly now: number;
};
export type SliceResult = { readonly changed: number; readonly ms: number };

/** In the place of a count: somebody asked for something else than the application meanwhile. */
export const STOPPED = -1;

/**
 * Gives events their new cost, keeps the old one, lets all sums follow and moves the cursor, in one short
 * transaction. An event that costs something else by now, or is gone, is left alone. Nothing happens unless
 * the re-pricing is being applied.
 */
export const applyOp: WriteOp<ApplySlice, SliceResult> = {
  name: 'repricing.apply',
  open(connection, env) {
    const costs = createCostChange(connection, env.share(sumsPart));
    const isApplying = connection
      .prepare("SELECT 1 FROM repricings WHERE id = ? AND project = ? AND state = 'applying'")
      .raw(true);
    const keep = connection.prepare(
      `INSERT INTO repriced_events (repricing, project, ts, event_id, old_cost, old_status, old_price, cost, status, price)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const move = connection.prepare(
      `UPDATE repricings SET cursor = ?, applied = applied + ?, applied_nano = applied_nano + ?, updated_at = ?
       WHERE id = ?`,
    );
    return {
      apply({ id, project, changes, cursor, now }) {
        const since = performance.now();
        if (isApplying.all([id, project]).length === 0) return { changed: STOPPED, ms: 0 };
        try {
          let changed = 0;
          let added = 0;
          for (const [ts, hex, oldCost, oldStatus, oldPrice, cost, status, price] of changes) {
            const key: EventKey = [project, ts, Uint8Array.fromHex(hex)];
            const set = costs.set(key, [oldCost, oldStatus, oldPrice], [cost, status, price]);
            if (set === null) continue;
            keep.run([id, ...key, oldCost, oldStatus, oldPrice, cost, status, price]);
            changed++;
            if (set.counts) added += (cost ?? 0) - (oldCost ?? 0);
          }
          costs.settle();
          move.run([JSON.stringify(cursor), changed, added, now, id]);
          return { changed, ms: performance.now() - since };
        } catch (error) {
          costs.forget();
          throw error;
        }
      },
      discard: () => costs.forget(),
    };
  },
};

export type UndoSlice = {
  readonly id: string;
  readonly project: number;
  readonly rows: number;
  readonly now: number;
};

/**
 * Gives some events the cost back that they had before, and forgets that it was kept: what is left is still
 * to be undone. `changed` is 0 when nothing is left.
 */
export const undoOp: WriteOp<UndoSlice, SliceResult> = {
  name: 'repricing.undo',
  open(connection, env) {
    const costs = createCostChange(connection, env.share(sumsPart));
    const next = connection
      .prepare(
        `SELECT ts, event_id, old_cost, old_status, old_price, cost, status, price FROM repriced_events
         WHERE repricing = ? AND project = ? ORDER BY ts, event_id LIMIT ?`,
      )
      .raw(true);
    const forget = connection.prepare(
      'DELETE FROM repriced_events WHERE repricing = ? AND project = ? AND ts = ? AND event_id = ?',
    );
    const note = connection.prepare(
      `UPDATE repricings SET applied = applied - ?, applied_nano = applied_nano - ?, gone = gone + ?, updated_at = ?
       WHERE id = ?`,
    );
    return {
      apply({ id, project, rows, now }) {
        const since = performance.now();
        try {
          const kept = next.all([id, project, rows]) as SqlValue[][];
          let gone = 0;
          let taken = 0;
          for (const [ts, eventId, ...states] of kept) {
            const key: EventKey = [project, Number(ts), new Uint8Array(eventId as ArrayBuffer)];
            const [old, current] = [states.slice(0, 3), states.slice(3)] as unknown as CostState[];
            if (old === undefined || current === undefined) continue;
            const set = costs.set(key, current, old);
            if (set === null) gone++;
            else if (set.counts) taken += (current[0] ?? 0) - (old[0] ?? 0);
            forget.run([id, project, key[1], key[2]]);
          }
          costs.settle();
          note.run([kept.length - gone, taken, gone, now, id]);
          return { changed: kept.length, ms: performance.now() - since };
        } catch (error) {
          costs.forget();
          throw error;
        }
      },
      discard: () => costs.forget(),
    };
  },
};
