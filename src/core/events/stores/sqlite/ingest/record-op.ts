import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { RecordedBatch, RecordOutcome } from '../../../batch.ts';
import { createCounting } from '../counting/create-counting.ts';
import { createStoredParts, type StoredParts } from '../counting/stored-parts.ts';
import { settleTrees } from '../counting/trace-trees.ts';
import { labelsPart } from '../labels/labels.ts';
import { createLinking } from '../links/create-linking.ts';
import type { EncodedPack } from '../packs/encode-pack.ts';
import { sealedPart } from '../segments/sealed-part.ts';
import { batchTraces, type TracedBatch } from './batch-traces.ts';
import { createDuplicates } from './duplicates.ts';
import { logPart, type Unsealed } from './log-part.ts';
import { receiveSpanColumns, type SentSpanColumns } from './span-columns.ts';

/** One batch of one project, for the writer. */
export type RecordBatch = EncodedPack & {
  readonly project: number;
  /** Id of the project key that sent it. */
  readonly keyId: string | null;
  /** Time of each event. */
  readonly times: Float64Array;
  /** What relates the events to those of their traces: counting calls once, and the graph of agents and tools. */
  readonly spans: SentSpanColumns | null;
  /** Places of events with an id but no timestamp. */
  readonly undated: readonly number[];
  readonly effects: readonly EffectCall[];
};

/** `results` are the results of the effects. */
export type RecordResult = RecordOutcome & { readonly results: unknown[]; readonly unsealed: Unsealed };

/** Appends a batch to the log with its effects. An event that is already stored is a duplicate and is not visible. */
export const recordOp: WriteOp<RecordBatch, RecordResult> = {
  name: 'events.record',
  open(connection, env) {
    const { share, effects } = env;
    const log = share(logPart);
    const labels = share(labelsPart);
    const sealed = share(sealedPart);
    const duplicates = createDuplicates(connection, log, sealed);
    const stored = createStoredParts(connection, env);
    const counting = createCounting(stored);
    const linking = createLinking(connection, env, stored);
    const insert = connection.prepare(
      `INSERT INTO event_log (seq, project, events, first_ts, last_ts, labels, dropped, ids, pack)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const append = (batch: RecordBatch, seq: number, dropped: readonly number[]): void => {
      const { project, events, keyId } = batch;
      const numbers = [null, ...batch.shapes].map((shape) => labels.numberOf(project, keyId, shape));
      insert.run([
        seq,
        project,
        events,
        batch.first,
        batch.last,
        JSON.stringify(numbers),
        dropped.length === 0 ? null : bitsOf(dropped, events),
        batch.ids,
        batch.pack,
      ]);
    };

    return {
      apply(batch) {
        const { project, events } = batch;
        const spans = batch.spans === null ? null : receiveSpanColumns(batch.spans);
        const seq = log.nextSeq();
        const dropped = duplicates.find(batch, seq);
        try {
          const traced =
            spans === null ? null : tracedBatch(stored.trees, batch, { columns: spans, seq, dropped });
          const recount = traced === null ? null : counting.count(traced);
          const links = spans?.links ?? null;
          const linked = traced === null || links === null ? null : linking.link({ ...traced, links });
          if (traced !== null) settleTrees(stored.trees, traced.traces);
          const outcome: RecordOutcome = { stored: events - dropped.length, duplicates: dropped.length };
          const recorded: RecordedBatch = { ...outcome, bytes: bytesOf(batch, outcome), dropped };
          const results = effects.apply(batch.effects, recorded);
          if (outcome.stored > 0) append(batch, seq, dropped);
          if (recount !== null) counting.apply({ project, seq }, recount);
          if (linked !== null) linking.apply({ project, seq }, linked);
          // Nothing fails from here on, so the log's state needs no undo.
          if (outcome.stored > 0) log.add(project, { seq, events });
          return { ...outcome, results, unsealed: log.unsealed(project) };
        } catch (error) {
          duplicates.undo(batch, dropped);
          if (spans !== null) counting.undo();
          if (spans?.links) linking.undo();
          labels.forget();
          throw error;
        }
      },
      discard() {
        log.forget();
        sealed.forget();
        counting.forget();
        linking.forget();
        labels.forget();
      },
    };
  },
};

function tracedBatch(
  trees: StoredParts['trees'],
  { project, times, ids }: RecordBatch,
  { columns, seq, dropped: places }: Placed,
): TracedBatch {
  const dropped = new Set(places);
  const words = new Int32Array(ids.buffer as ArrayBuffer, ids.byteOffset, ids.byteLength / 4);
  const traces = batchTraces(trees, { project, columns, dropped });
  return { project, seq, times, columns, ids: words, traces, dropped };
}

type Placed = Pick<TracedBatch, 'columns' | 'seq'> & { readonly dropped: readonly number[] };

/** The share of the new events in the batch's size. */
const bytesOf = ({ pack, ids, events }: RecordBatch, { stored }: RecordOutcome): number =>
  Math.ceil(((pack.byteLength + ids.byteLength) * stored) / events);

/** One bit per event, lowest first, set at some places. */
function bitsOf(places: readonly number[], events: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(events / 8));
  for (const place of places) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  return bits;
}
