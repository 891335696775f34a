import type { SqlValue } from '../../../../../db/connection.ts';
import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { ChangeOutcome } from '../../../change.ts';
import { type CostState, createCostChange, type EventKey } from './cost-change.ts';
import type { CostChange } from './price-page.ts';
import { sumsPart } from './sums-of.ts';

/** `ms`: the time before COMMIT. */
export type SliceReply = ChangeOutcome & { readonly ms: number };

/** Some calls of a re-pricing. Each price is a number of `event_prices`. */
export type RepriceSlice = {
  readonly id: string;
  readonly project: number;
  readonly changes: readonly CostChange[];
  readonly cursor: string;
  readonly effects: readonly EffectCall[];
};

/**
 * Applies new costs and keeps the old ones; updates sums and runs effects in the same short transaction. Calls that
 * were deleted or whose cost changed concurrently are skipped.
 */
export const repriceOp: WriteOp<RepriceSlice, SliceReply> = {
  name: 'events.reprice',
  open(connection, { share, effects }) {
    const costs = createCostChange(connection, share(sumsPart));
    const keep = connection.prepare(
      `INSERT INTO repriced_events (repricing, project, ts, event_id, old_cost, old_status, old_price, cost, status, price)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    return {
      apply({ id, project, changes, cursor, effects: calls }) {
        const since = performance.now();
        let changed = 0;
        let costNano = 0;
        return costs.transact(() => {
          for (const { ts, id: hex, old, cost, status, price } of changes) {
            const key: EventKey = [project, ts, Uint8Array.fromHex(hex)];
            const set = costs.set(key, old, [cost, status, price]);
            if (set === null) continue;
            keep.run([id, ...key, ...old, cost, status, price]);
            changed++;
            if (set.counts) costNano += (cost ?? 0) - (old[0] ?? 0);
          }
          const outcome: ChangeOutcome = { changed, gone: changes.length - changed, costNano, cursor };
          effects.apply(calls, outcome);
          return { ...outcome, ms: performance.now() - since };
        });
      },
      discard: () => costs.forget(),
    };
  },
};

export type RestoreSlice = {
  readonly id: string;
  readonly project: number;
  /** Maximum number of calls in the slice. */
  readonly rows: number;
  /** Constant, because the remaining kept costs are the remaining work. */
  readonly cursor: string;
  readonly effects: readonly EffectCall[];
};

/**
 * Restores the cost that calls had before a re-pricing and deletes the kept cost, so the kept costs are the remaining
 * work. `changed` and `gone` are 0 when none is left.
 */
export const restoreOp: WriteOp<RestoreSlice, SliceReply> = {
  name: 'events.restore_costs',
  open(connection, { share, effects }) {
    const costs = createCostChange(connection, share(sumsPart));
    const next = connection
      .prepare(
        `SELECT ts, event_id, old_cost, old_status, old_price, cost, status, price FROM repriced_events
         WHERE repricing = ? AND project = ? ORDER BY ts, event_id LIMIT ?`,
      )
      .raw(true);
    const forget = connection.prepare(
      'DELETE FROM repriced_events WHERE repricing = ? AND project = ? AND ts = ? AND event_id = ?',
    );
    return {
      apply({ id, project, rows, cursor, effects: calls }) {
        const since = performance.now();
        let changed = 0;
        let costNano = 0;
        return costs.transact(() => {
          const kept = next.all([id, project, rows]) as SqlValue[][];
          for (const [ts, eventId, ...states] of kept) {
            const key: EventKey = [project, Number(ts), new Uint8Array(eventId as ArrayBuffer)];
            const [old, current] = [states.slice(0, 3), states.slice(3)] as unknown as [CostState, CostState];
            const set = costs.set(key, current, old);
            if (set !== null) changed++;
            if (set?.counts) costNano += (old[0] ?? 0) - (current[0] ?? 0);
            forget.run([id, project, key[1], key[2]]);
          }
          const outcome: ChangeOutcome = { changed, gone: kept.length - changed, costNano, cursor };
          effects.apply(calls, outcome);
          return { ...outcome, ms: performance.now() - since };
        });
      },
      discard: () => costs.forget(),
    };
  },
};
