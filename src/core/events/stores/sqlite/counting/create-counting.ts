import type { Connection } from '../../../../../db/connection.ts';
import type { WriterEnv } from '../../../../../db/writer-env.ts';
import { createLogBatches } from '../ingest/log-batches.ts';
import { logPart } from '../ingest/log-part.ts';
import { sealedPart } from '../segments/sealed-part.ts';
import { storedSumsPart } from '../sums/sums-part.ts';
import { createFlipStored } from './flip-stored.ts';
import { createFlips } from './flips.ts';
import { createSpanCounter, type Recount, type SpanBatch } from './span-counter.ts';
import { createStoredSpans } from './stored-spans.ts';
import { createTraceIndex } from './trace-index.ts';

/** Counts each call of OTLP spans once: when a batch is stored, and in what is stored already. */
export type Counting = {
  /** Counts a batch before it is stored. */
  count(batch: SpanBatch): Recount;
  /** Applies the outcome in the transaction of the batch. */
  apply(batch: Pick<SpanBatch, 'project' | 'seq'>, recount: Recount): void;
  /** Reverts the last `count`, because its batch is not stored. */
  undo(): void;
  /** Clears what a rollback may have made wrong. */
  forget(): void;
};

export function createCounting(connection: Connection, { share }: WriterEnv): Counting {
  const log = share(logPart);
  const sealed = share(sealedPart);
  const batches = createLogBatches(connection);
  const flips = {
    log: createFlips(connection, 'event_log_flips', 'seq'),
    sealed: createFlips(connection, 'event_segment_flips', 'no'),
  };
  const traces = createTraceIndex(connection, log, (seq) => batches.open(seq)?.ids('trace_id') ?? null);
  const counter = createSpanCounter(createStoredSpans({ traces, batches, sealed, flips }));
  const sums = share(storedSumsPart);
  const flipStored = createFlipStored({ log, batches, sealed, sums, flips });
  return {
    count: counter.count,
    apply({ project, seq }, { own, earlier }) {
      flips.log.toggle(project, seq, own);
      flipStored(project, earlier);
    },
    undo() {
      counter.undo();
      sums.forget();
    },
    forget() {
      counter.forget();
      batches.forget();
      sums.forget();
    },
  };
}
