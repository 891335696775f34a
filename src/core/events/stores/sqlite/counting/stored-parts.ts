import type { Connection } from '../../../../../db/connection.ts';
import type { WriterEnv } from '../../../../../db/writer-env.ts';
import { createLogBatches, type LogBatches } from '../ingest/log-batches.ts';
import { type LogState, logPart } from '../ingest/log-part.ts';
import { type Sealed, sealedPart } from '../segments/sealed-part.ts';
import { type StoredSums, storedSumsPart } from '../sums/sums-part.ts';
import { createFlips, type Flips } from './flips.ts';
import type { RecentTrees } from './recent-trees.ts';
import { createStoredSpans, type StoredSpans } from './stored-spans.ts';
import { createTraceIndex } from './trace-index.ts';
import { traceMemoryPart } from './trace-memory.ts';
import { createTraceTrees, type TraceTrees } from './trace-trees.ts';

/** What is stored, as those need it who relate the spans of a batch to earlier ones. */
export type StoredParts = {
  readonly log: LogState;
  readonly batches: LogBatches;
  readonly sealed: Sealed;
  readonly sums: StoredSums;
  readonly flips: { readonly log: Flips; readonly sealed: Flips };
  readonly spans: StoredSpans;
  readonly trees: RecentTrees<TraceTrees>;
};

export function createStoredParts(connection: Connection, { share }: WriterEnv): StoredParts {
  const log = share(logPart);
  const sealed = share(sealedPart);
  const batches = createLogBatches(connection);
  const flips = {
    log: createFlips(connection, 'event_log_flips', 'seq'),
    sealed: createFlips(connection, 'event_segment_flips', 'no'),
  };
  const traces = createTraceIndex(connection, log, (seq) => batches.open(seq)?.ids('trace_id') ?? null);
  const spans = createStoredSpans({ traces, batches, sealed, flips, memory: share(traceMemoryPart) });
  return { log, batches, sealed, sums: share(storedSumsPart), flips, spans, trees: createTraceTrees() };
}
