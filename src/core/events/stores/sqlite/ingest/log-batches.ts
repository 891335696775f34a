import { LRUCache } from 'lru-cache';
import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { DamagedEvents } from '../damage/damaged.ts';
import { BATCH_COLUMNS, decodeDetails, decodeLight } from '../packs/decode-batch.ts';
import type { SizedChunk } from '../packs/decode-pack.ts';
import type { Chunk } from '../scan/chunk.ts';

/** Unsealed batches on the writing connection. */
export type LogBatches = {
  /**
   * A batch as it was stored: without the flips of `event_log_flips`. Null if it is damaged: that must not keep new
   * events from being stored, and the sealer finds it.
   */
  open(seq: number): Chunk | null;
  /** To be called after a rollback. */
  forget(): void;
};

/** Bytes of decoded batches in memory: about 15,000 events. */
const KEPT_BYTES = 4 * 1024 * 1024;

export function createLogBatches(connection: Connection): LogBatches {
  const read = connection
    .prepare(`SELECT project, events, first_ts, last_ts, ${BATCH_COLUMNS} FROM event_log WHERE seq = ?`)
    .raw(true);
  const kept = new LRUCache<number, SizedChunk>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength,
  });
  const rowOf = (seq: number): SqlValue[] => (read.all([seq]) as SqlValue[][])[0] ?? [];
  const decode = (seq: number): SizedChunk => {
    const row = rowOf(seq);
    const [project = 0, events = 0, first = 0, last = 0] = row.slice(0, 4).map(Number);
    const known = { seq, project, events, first, last, flips: [] };
    return decodeLight(known, row.slice(4), () => decodeDetails(known, rowOf(seq).slice(4))).chunk;
  };
  return {
    open(seq) {
      try {
        const chunk = kept.get(seq) ?? decode(seq);
        kept.set(seq, chunk);
        return chunk;
      } catch (error) {
        if (error instanceof DamagedEvents) return null;
        throw error;
      }
    },
    forget: () => kept.clear(),
  };
}
