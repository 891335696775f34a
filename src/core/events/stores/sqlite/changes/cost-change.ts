import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { LABEL_ROLLUPS, LABEL_SUMS } from '../labels/label-rollup.ts';
import { ROLLUP_DIMENSIONS, ROLLUP_SUMS, ROLLUPS } from '../rollups/rollup.ts';
import { COST_STATUS } from '../rows/numbers.ts';
import { rowValue } from '../rows/sums.ts';
import type { Sums } from './sums-of.ts';

/** Cost of a stored event: the columns `cost_nano`, `cost_status` and `price`. */
export type CostState = readonly [costNano: number | null, costStatus: number | null, price: number | null];

/** Key of an event: project, time and stored id. */
export type EventKey = readonly [project: number, ts: number, eventId: Uint8Array];

/** Changes the cost of stored events, and all sums accordingly. */
export type CostChange = {
  /**
   * Replaces `expected` by `next`. Returns null and changes nothing if the event is gone or has another cost by now;
   * otherwise whether its cost is in the totals.
   */
  set(key: EventKey, expected: CostState, next: CostState): { readonly counts: boolean } | null;
  /**
   * Runs a change and updates the sums. Must be called within the transaction of the change. If the change throws,
   * the buffered differences are dropped.
   */
  transact<T>(change: () => T): T;
  /** Drops the buffered differences after a failed transaction. */
  forget(): void;
};

const UNPRICED = COST_STATUS.unpriced;

/** Changes of the sums that depend on the price. */
type Change = Readonly<
  Record<'cost_nano' | 'unpriced' | 'unpriced_input_tokens' | 'unpriced_output_tokens', number>
>;
type Sum = keyof Change;
const SUMS: readonly Sum[] = ['cost_nano', 'unpriced', 'unpriced_input_tokens', 'unpriced_output_tokens'];
const isDecided = (sum: string): sum is Sum => (SUMS as readonly string[]).includes(sum);

type Delta = { readonly key: readonly SqlValue[]; change: Change };
type Deltas = Map<string, Delta>;

export function createCostChange(connection: Connection, { seals }: Sums): CostChange {
  const update = connection
    .prepare(
      `UPDATE events SET cost_nano = ?, cost_status = ?, price = ?
       WHERE project = ? AND ts = ? AND event_id = ? AND cost_nano IS ? AND cost_status IS ? AND price IS ?
       RETURNING ${ROLLUP_DIMENSIONS.join(', ')}, ${rowValue('input_tokens')}, ${rowValue('output_tokens')}, label, chunk, user_id`,
    )
    .raw(true);
  const tables = ROLLUPS.map(({ table, column, ms }) => ({
    ms,
    deltas: new Map() as Deltas,
    sums: ROLLUP_SUMS.filter(isDecided) as readonly Sum[],
    add: connection.prepare(additionTo(table, ['project', column, ...ROLLUP_DIMENSIONS], ROLLUP_SUMS)),
  }));
  const labels = LABEL_ROLLUPS.map(({ table, column, ms }) => ({
    ms,
    deltas: new Map() as Deltas,
    sums: LABEL_SUMS.filter(isDecided) as readonly Sum[],
    add: connection.prepare(additionTo(table, ['project', column, 'label'], LABEL_SUMS)),
  }));

  const users: Deltas = new Map();

  return {
    set([project, ts, eventId], expected, next) {
      const [row] = update.all([...next, project, ts, eventId, ...expected]) as SqlValue[][];
      if (row === undefined) return null;
      const cost = (next[0] ?? 0) - (expected[0] ?? 0);
      const unpriced = Number(next[1] === UNPRICED) - Number(expected[1] === UNPRICED);
      const dimensions = row.slice(0, ROLLUP_DIMENSIONS.length).map((value) => value ?? '');
      const [input, output, label = 0, chunk = 0, userId = null] = row.slice(ROLLUP_DIMENSIONS.length);
      const change = {
        cost_nano: cost,
        unpriced,
        unpriced_input_tokens: unpriced * Number(input),
        unpriced_output_tokens: unpriced * Number(output),
      };
      for (const { ms, deltas } of tables)
        gather(deltas, [project, Math.floor(ts / ms), ...dimensions], change);
      const counts = row[ROLLUP_DIMENSIONS.indexOf('is_call')] === 1;
      if (counts) {
        const day = Math.floor(ts / DAY_MS);
        for (const { ms, deltas } of labels) gather(deltas, [project, Math.floor(ts / ms), label], change);
        if (userId !== null) gather(users, [project, day, chunk, userId], change);
      }
      return { counts };
    },
    transact(change) {
      try {
        const result = change();
        settle();
        return result;
      } catch (error) {
        forget();
        throw error;
      }
    },
    forget,
  };

  function settle(): void {
    for (const { deltas, sums, add } of [...tables, ...labels]) {
      for (const { key, change } of deltas.values()) add.run([...key, ...sums.map((sum) => change[sum])]);
      deltas.clear();
    }
    for (const { key, change } of users.values()) {
      const [project, day, chunk, userId] = key as [number, number, number, string];
      seals.changeCost({ project, day, chunk, userId }, change.cost_nano, change.unpriced);
    }
    users.clear();
  }

  function forget(): void {
    for (const { deltas } of [...tables, ...labels]) deltas.clear();
    users.clear();
  }
}

/** Adds to the sums that depend on the price; other columns stay unchanged. */
function additionTo(table: string, keys: readonly string[], sums: readonly string[]): string {
  const decided = sums.filter(isDecided);
  const others = sums.filter((sum) => !isDecided(sum));
  const values = [...keys, ...decided].map(() => '?').concat(others.map(() => '0'));
  const changes = decided.map((sum) => `${sum} = ${sum} + excluded.${sum}`);
  return `INSERT INTO ${table} (${[...keys, ...decided, ...others].join(', ')}) VALUES (${values.join(', ')})
    ON CONFLICT DO UPDATE SET ${changes.join(', ')}`;
}

function gather(deltas: Deltas, key: readonly SqlValue[], change: Change): void {
  const id = key.join('\0');
  const known = deltas.get(id);
  if (known === undefined) deltas.set(id, { key, change });
  else
    known.change = {
      cost_nano: known.change.cost_nano + change.cost_nano,
      unpriced: known.change.unpriced + change.unpriced,
      unpriced_input_tokens: known.change.unpriced_input_tokens + change.unpriced_input_tokens,
      unpriced_output_tokens: known.change.unpriced_output_tokens + change.unpriced_output_tokens,
    };
}
