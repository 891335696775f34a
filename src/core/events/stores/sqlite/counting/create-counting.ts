import type { TracedBatch } from '../ingest/batch-traces.ts';
import { createFlipStored } from './flip-stored.ts';
import { createSpanCounter, type Recount } from './span-counter.ts';
import type { StoredParts } from './stored-parts.ts';

/** Counts each call of OTLP spans once: when a batch is stored, and in what is stored already. */
export type Counting = {
  /** Counts a batch before it is stored. */
  count(batch: TracedBatch): Recount;
  /** Applies the outcome in the transaction of the batch. */
  apply(batch: Pick<TracedBatch, 'project' | 'seq'>, recount: Recount): void;
  /** Reverts the last `count`, because its batch is not stored. */
  undo(): void;
  /** Clears what a rollback may have made wrong. */
  forget(): void;
};

export function createCounting(parts: StoredParts): Counting {
  const { batches, flips, sums } = parts;
  const counter = createSpanCounter(parts.spans);
  const flipStored = createFlipStored(parts);
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
      parts.trees.clear();
      batches.forget();
      sums.forget();
    },
  };
}
