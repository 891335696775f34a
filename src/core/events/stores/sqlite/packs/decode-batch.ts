import type { SqlValue } from '../../../../../db/connection.ts';
import { DamagedEvents } from '../damage/damaged.ts';
import type { Chunk } from '../scan/chunk.ts';
import { toBytes } from '../segments/segment-blobs.ts';
import { decodePack, type LogRow } from './decode-pack.ts';

/** The columns of `event_log` that `decodeBatch` takes, in their order. */
export const BATCH_COLUMNS = 'labels, dropped, ids, pack';

/**
 * The chunk of a row of the log, of which `values` are `BATCH_COLUMNS`.
 * @throws DamagedEvents if it can't be decoded
 */
export function decodeBatch(
  row: Pick<LogRow, 'project' | 'events' | 'first' | 'last' | 'flips' | 'links'> & { readonly seq: number },
  values: readonly SqlValue[],
): Chunk {
  const [labels, dropped = null, ids = null, pack = null] = values;
  try {
    return decodePack({
      ...row,
      labels: JSON.parse(String(labels)),
      dropped: dropped === null ? null : toBytes(dropped),
      ids: toBytes(ids),
      pack: toBytes(pack),
    });
  } catch (error) {
    const { seq: no, project, events, first, last } = row;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DamagedEvents({ kind: 'batch', no, project, events, first, last, reason }, error);
  }
}
