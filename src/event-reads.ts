import { pricesVersionRead } from './core/events/stores/clickhouse/changes/prices-version.ts';
import { changeReads } from './core/events/stores/sqlite/changes/change-events.ts';
import { damageReads } from './core/events/stores/sqlite/damage/stored-damage.ts';
import { retentionReads } from './core/events/stores/sqlite/deletion/delete-before.ts';
import { eraseRead } from './core/events/stores/sqlite/deletion/erase-read.ts';
import { anySegmentRead } from './core/events/stores/sqlite/deletion/purge.ts';
import { indexPagesRead, indexWorkRead } from './core/events/stores/sqlite/id-index/read-index.ts';
import { listReads } from './core/events/stores/sqlite/open-lists.ts';
import { metricReads } from './core/events/stores/sqlite/open-metrics.ts';
import { missingRowsRead } from './core/events/stores/sqlite/runs/keep-rows.ts';
import { sealRead } from './core/events/stores/sqlite/seal/read-batches.ts';
import { mergeRead } from './core/events/stores/sqlite/seal/read-small.ts';
import type { ReadOp } from './db/reader.ts';

/** The reads of events. Readers load them at the start, the others on first use; see `writes.ts`. */
export const eventReads: readonly ReadOp[] = [
  ...listReads,
  ...metricReads,
  ...changeReads,
  ...retentionReads,
  ...damageReads,
  anySegmentRead,
  eraseRead,
  sealRead,
  mergeRead,
  indexWorkRead,
  indexPagesRead,
  missingRowsRead,
  pricesVersionRead,
];
