import type { Connection } from '../../../../../db/connection.ts';
import { ID_WORDS } from '../columns.ts';
import type { Sealed } from '../segments/sealed-part.ts';
import type { LogState } from './log-part.ts';

/** The events of a batch: 16 bytes per id, a time each, and the places of those without a timestamp. */
type Incoming = {
  readonly project: number;
  readonly events: number;
  readonly ids: Uint8Array;
  readonly times: Float64Array;
  readonly undated: readonly number[];
};

/** Recognises events that are already stored. */
export type Duplicates = {
  /** The places of a batch's duplicates, also of events that it contains twice. Notes the others as stored in `seq`. */
  find(batch: Incoming, seq: number): number[];
  /** Reverts `find` for a batch that is not stored. */
  undo(batch: Incoming, duplicates: readonly number[]): void;
};

/**
 * The newest ids are known exactly, among them those of all unsealed events. An older event is looked for in the
 * segments that span its time. An event without a timestamp was first stored at another time, which a table has.
 */
export function createDuplicates(connection: Connection, log: LogState, sealed: Sealed): Duplicates {
  const isNewUndated = createUndated(connection);
  /** Forgets the ids of a batch's first events, but for the duplicates. */
  const forget = ({ project, ids }: Incoming, events: number, duplicates: readonly number[]): void => {
    const words = wordsOf(ids);
    const skipped = new Set(duplicates);
    for (let place = 0; place < events; place++)
      if (!skipped.has(place)) log.ids().remove(project, words, place * ID_WORDS.event_id);
  };
  return {
    find(batch, seq) {
      const { project, events, ids, times, undated } = batch;
      const words = wordsOf(ids);
      const known = log.ids();
      const without = new Set(undated);
      const found: number[] = [];
      let place = 0;
      try {
        for (; place < events; place++) {
          const at = place * ID_WORDS.event_id;
          const ts = times[place] as number;
          // A duplicate of a sealed event must not push out the id of an unsealed one: only the set knows those.
          const isStored =
            known.has(project, words, at) ||
            sealed.find(project, ts, words, at, !known.mayHaveDropped(project, words, at)) !== null ||
            (without.has(place) && !isNewUndated(project, ids.subarray(at * 4, at * 4 + 16), ts));
          if (isStored) found.push(place);
          else known.add(project, words, at, seq, place);
        }
      } catch (error) {
        // Nothing of the batch is stored, so its repetition must find nothing.
        forget(batch, place, found);
        throw error;
      }
      return found;
    },
    undo: (batch, duplicates) => forget(batch, batch.events, duplicates),
  };
}

const wordsOf = (ids: Uint8Array): Int32Array =>
  new Int32Array(ids.buffer as ArrayBuffer, ids.byteOffset, ids.byteLength / 4);

/** Whether an event without a timestamp is new; notes when it was first received. */
function createUndated(connection: Connection): (project: number, id: Uint8Array, ts: number) => boolean {
  const insert = connection.prepare(
    'INSERT INTO undated_events (project, event_id, ts) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return (project, id, ts) => insert.run([project, id, ts]).changes > 0;
}
