import { LRUCache } from 'lru-cache';
import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { DamagedEvents } from '../damage/damaged.ts';
import { BATCH_COLUMNS, decodeBatch } from '../packs/decode-batch.ts';
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

/** Events of decoded batches in memory. */
const KEPT_EVENTS = 8_192;

export function createLogBatches(connection: Connection): LogBatches {
  const read = connection
    .prepare(`SELECT project, events, first_ts, last_ts, ${BATCH_COLUMNS} FROM event_log WHERE seq = ?`)
    .raw(true);
  const kept = new LRUCache<number, Chunk>({
    maxSize: KEPT_EVENTS,
    sizeCalculation: ({ events }) => events,
  });
  return {
    open(seq) {
      const known = kept.get(seq);
      if (known !== undefined) return known;
      const [row = []] = read.all([seq]) as SqlValue[][];
      const [project = 0, events = 0, first = 0, last = 0] = row.slice(0, 4).map(Number);
      try {
        const chunk = decodeBatch({ seq, project, events, first, last, flips: [] }, row.slice(4));
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
