import type { Connection, SqlValue } from '../../db/connection.ts';
import { DAY_MS } from '../../lib/time.ts';
import { COST_STATUSES } from './contract.ts';
import { LABEL_ROLLUPS, LABEL_SUMS } from './label-rollup.ts';
import { ROLLUP_DIMENSIONS, ROLLUP_SUMS, ROLLUPS } from './rollup.ts';
import { sumsOf } from './sums-of.ts';

/** What a stored event costs: as its columns `cost_nano`, `cost_status` and `price` say. */
export type CostState = readonly [costNano: number | null, costStatus: number | null, price: number | null];

/** Which event: project, time and id, the id as the store keeps it. */
export type EventKey = readonly [project: number, ts: number, eventId: Uint8Array];

/** Changes what stored events cost, and every sum with them. */
export type CostChange = {
  /**
   * Puts `next` in the place of `expected`. Null, and nothing changed, where the event is gone or costs
   * something else by now; else whether its cost is in the totals.
   */
  set(key: EventKey, expected: CostState, next: CostState): { readonly counts: boolean } | null;
  /** Writes what the sums have to follow; in the same transaction, before it ends. */
  settle(): void;
  /** Forgets what was gathered, where the transaction failed. */
  forget(): void;
};

/** Columns of a roll-up that a price doesn't decide: they have no default and stay as they are. */
const OTHER_SUMS = ROLLUP_SUMS.filter(isUnaffected);
const OTHER_LABEL_SUMS = LABEL_SUMS.filter(isUnaffected);
const UNPRICED = COST_STATUSES.indexOf('unpriced');

type Delta = { readonly key: readonly SqlValue[]; cost: number; unpriced: number };
type Deltas = Map<string, Delta>;

function isUnaffected(sum: string): boolean {
  return sum !== 'cost_nano' && sum !== 'unpriced';
}

export function createCostChange(connection: Connection): CostChange {
  const update = connection
    .prepare(
      `UPDATE events SET cost_nano = ?, cost_status = ?, price = ?
       WHERE project = ? AND ts = ? AND event_id = ? AND cost_nano IS ? AND cost_status IS ? AND price IS ?
       RETURNING ${ROLLUP_DIMENSIONS.join(', ')}, label, chunk, user_id`,
    )
    .raw(true);
  const tables = ROLLUPS.map(({ table, column, ms }) => ({
    ms,
    deltas: new Map() as Deltas,
    add: connection.prepare(additionTo(table, ['project', column, ...ROLLUP_DIMENSIONS], OTHER_SUMS)),
  }));
  const labels = LABEL_ROLLUPS.map(({ table, column, ms }) => ({
    ms,
    deltas: new Map() as Deltas,
    add: connection.prepare(additionTo(table, ['project', column, 'label'], OTHER_LABEL_SUMS)),
  }));

  const { seals } = sumsOf(connection);
  const users: Deltas = new Map();

  return {
    set([project, ts, eventId], expected, next) {
      const [row] = update.all([...next, project, ts, eventId, ...expected]) as SqlValue[][];
      if (row === undefined) return null;
      const cost = (next[0] ?? 0) - (expected[0] ?? 0);
      const unpriced = Number(next[1] === UNPRICED) - Number(expected[1] === UNPRICED);
      const dimensions = row.slice(0, ROLLUP_DIMENSIONS.length).map((value) => value ?? '');
      for (const { ms, deltas } of tables)
        gather(deltas, [project, Math.floor(ts / ms), ...dimensions], cost, unpriced);
      const counts = row[ROLLUP_DIMENSIONS.indexOf('is_call')] === 1;
      if (counts) {
        const day = Math.floor(ts / DAY_MS);
        const [label = 0, chunk = 0, userId = null] = row.slice(ROLLUP_DIMENSIONS.length);
        for (const { ms, deltas } of labels)
          gather(deltas, [project, Math.floor(ts / ms), label], cost, unpriced);
        if (userId !== null) gather(users, [project, day, chunk, userId], cost, unpriced);
      }
      return { counts };
    },
    settle() {
      for (const { deltas, add } of [...tables, ...labels]) {
        for (const { key, cost, unpriced } of deltas.values()) add.run([...key, cost, unpriced]);
        deltas.clear();
      }
      for (const { key, cost, unpriced } of users.values()) {
        const [project, day, chunk, userId] = key as [number, number, number, string];
        seals.changeCost({ project, day, chunk, userId }, cost, unpriced);
      }
      users.clear();
    },
    forget() {
      for (const { deltas } of [...tables, ...labels]) deltas.clear();
      users.clear();
    },
  };
}

/** Adds to the two sums that a price decides; everything else of the entry stays as it is. */
function additionTo(table: string, keys: readonly string[], others: readonly string[]): string {
  const columns = [...keys, 'cost_nano', 'unpriced', ...others];
  const values = columns.map((column) => (others.includes(column) ? '0' : '?'));
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})
    ON CONFLICT DO UPDATE SET cost_nano = cost_nano + excluded.cost_nano, unpriced = unpriced + excluded.unpriced`;
}

function gather(deltas: Deltas, key: readonly SqlValue[], cost: number, unpriced: number): void {
  const id = key.join('\0');
  const delta = deltas.get(id) ?? { key, cost: 0, unpriced: 0 };
  delta.cost += cost;
  delta.unpriced += unpriced;
  deltas.set(id, delta);
}
