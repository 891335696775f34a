import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { Writer } from '../../../../../db/writer.ts';

type KeptCosts = {
  /** Id of the re-pricing. */
  readonly id: string;
  readonly project: number;
  /** JSON: see `CostEdit.keys`; to delete, time and event id suffice. */
  readonly keys: string;
};

const [TS, ID, ...COSTS] = Array.from({ length: 8 }, (_, i) => `value ->> ${i}`);
const COLUMNS = ['old_cost', 'old_status', 'old_price', 'cost', 'status', 'price'];

/** Keeps old and new costs of some events. Those that a slice kept which failed afterwards are replaced. */
export const keepCostsOp: WriteOp<KeptCosts, void> = {
  name: 'events.keep_costs',
  open(connection) {
    const keep = connection.prepare(
      `INSERT INTO repriced_events (repricing, project, ts, event_id, ${COLUMNS.join(', ')})
       SELECT ?, ?, ${TS}, unhex(${ID}), ${COSTS.join(', ')} FROM json_each(?) WHERE TRUE
       ON CONFLICT DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    );
    return {
      apply: ({ id, project, keys }) => {
        keep.run([id, project, keys]);
      },
    };
  },
};

/** Deletes kept costs. */
export const forgetCostsOp: WriteOp<KeptCosts, void> = {
  name: 'events.forget_costs',
  open(connection) {
    const forget = connection.prepare(
      `DELETE FROM repriced_events WHERE repricing = ? AND project = ?
       AND (ts, event_id) IN (SELECT ${TS}, unhex(${ID}) FROM json_each(?))`,
    );
    return {
      apply: ({ id, project, keys }) => {
        forget.run([id, project, keys]);
      },
    };
  },
};

/** Costs of a write: about 3 ms. */
const AT_ONCE = 1_000;

/** Runs a write of kept costs in slices, so that ingest does not wait long. */
export async function inSlices(
  writer: Writer,
  op: WriteOp<KeptCosts, void>,
  { keys, ...of }: Omit<KeptCosts, 'keys'> & { readonly keys: readonly unknown[] },
): Promise<void> {
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await writer.write(op, { ...of, keys: JSON.stringify(keys.slice(at, at + AT_ONCE)) });
}
