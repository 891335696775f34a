import type { SqlValue } from '../../../../../db/connection.ts';
import { DamagedEvents } from '../damage/damaged.ts';
import { toBytes } from '../segments/segment-blobs.ts';
import {
  decodePack,
  type LogRow,
  openColumns,
  type SizedChunk,
  type Unpacked,
  unpack,
} from './decode-pack.ts';

/** The columns of `event_log` that `decodeBatch` takes, in their order. */
export const BATCH_COLUMNS = 'labels, dropped, ids, pack';

/** What is known of a row of the log besides `BATCH_COLUMNS`. */
type Known = Pick<LogRow, 'project' | 'events' | 'first' | 'last' | 'flips' | 'links'> & {
  readonly seq: number;
};

/**
 * The chunk of a row of the log, of which `values` are `BATCH_COLUMNS`.
 * @throws DamagedEvents if it can't be decoded
 */
export const decodeBatch = (row: Known, values: readonly SqlValue[]): SizedChunk =>
  unlessDamaged(row, () => decodePack(toRow(row, values)));

/**
 * The same for a chunk that is kept, which has only the columns in memory: details may be a hundred times as much, and
 * are seldom read. They were decoded too, and come beside it.
 * @param readDetails what `decodeDetails` gives, for each read of a detail
 */
export const decodeLight = (
  row: Known,
  values: readonly SqlValue[],
  readDetails: () => Uint8Array,
): { readonly chunk: SizedChunk; readonly details: Unpacked['details'] } =>
  unlessDamaged(row, () => {
    const whole = toRow(row, values);
    const { columns, details } = unpack(whole);
    const { pack: _, ...rest } = whole;
    // A copy, because a view keeps what it views, and the `slice` of a Buffer is one.
    return { chunk: openColumns(rest, new Uint8Array(columns), readDetails), details };
  });

/** The details of a row of the log. Throws like `decodeBatch`. */
export const decodeDetails = (row: Known, values: readonly SqlValue[]): Unpacked['details'] =>
  unlessDamaged(row, () => unpack(toRow(row, values)).details);

function toRow(row: Known, values: readonly SqlValue[]): LogRow {
  const [labels, dropped = null, ids = null, pack = null] = values;
  return {
    ...row,
    labels: JSON.parse(String(labels)),
    dropped: dropped === null ? null : toBytes(dropped),
    ids: toBytes(ids),
    pack: toBytes(pack),
  };
}

function unlessDamaged<T>({ seq: no, project, events, first, last }: Known, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DamagedEvents({ kind: 'batch', no, project, events, first, last, reason }, error);
  }
}
