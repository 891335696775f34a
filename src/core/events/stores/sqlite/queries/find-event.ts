import type { Reader } from '../../../../../db/reader.ts';
import type { AppliedPrice } from '../../../../pricing/index.ts';
import type { EventQuery, FoundEvent } from '../../../read-queries.ts';
import { FLAG, ID_WORDS } from '../columns.ts';
import { idWords } from '../packs/id-bytes.ts';
import type { Chunk } from '../scan/chunk.ts';
import type { Hit } from '../scan/find-hits.ts';
import { keyOfLabels } from '../scan/key-of-label.ts';
import { likelyIds } from '../scan/likely-ids.ts';
import { ALL_TIME, chunksOf } from '../scan/open-chunks.ts';
import { bucketsAt, numberAt, toEvent } from '../scan/to-event.ts';

/** Maximum difference between a UUIDv7's time and the event's time for the fast look-up. */
const UUID_SLACK_MS = 60_000;

/**
 * Finds an event by its id; null if the scope has none. Each chunk's Bloom filter says whether it may contain the id.
 * With a given time, only the chunks that span it are asked; those around the time of a UUIDv7 are asked first.
 */
export function findEvent(reader: Reader, { id, ts }: EventQuery): FoundEvent | null {
  const words = idWords('event_id', id);
  const windows = ts === null ? [...aroundUuid(id), ALL_TIME] : [{ from: ts, to: ts + 1 }];
  for (const project of reader.projects) {
    for (const window of windows) {
      for (const ref of likelyIds(reader, chunksOf(reader, project, window), 'event_id', [
        { words },
      ]).keys()) {
        const hit = hitIn(ref.open(), words);
        if (hit !== null && (ts === null || hit.ts === ts)) return toFound(reader, hit);
      }
    }
  }
  return null;
}

function aroundUuid(id: string): { from: number; to: number }[] {
  if (id[14] !== '7') return [];
  const made = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return [{ from: made - UUID_SLACK_MS, to: made + UUID_SLACK_MS + 1 }];
}

function hitIn(chunk: Chunk, words: Int32Array): Hit | null {
  const ids = chunk.ids('event_id');
  const present = chunk.present();
  const [a, b, c, d] = words;
  for (let place = 0, at = 0; at < ids.length; place++, at += ID_WORDS.event_id)
    if (ids[at] === a && ids[at + 1] === b && ids[at + 2] === c && ids[at + 3] === d && present[place] === 1)
      return { chunk, place, ts: chunk.numbers('ts')[place] as number };
  return null;
}

function toFound(reader: Reader, { chunk, place }: Hit): FoundEvent {
  return {
    event: toEvent(chunk, place, keyOfLabels(reader)),
    isCall: ((chunk.bytes('flags')[place] as number) & FLAG.call) !== 0,
    buckets: bucketsAt(chunk, place),
    costNano: numberAt(chunk, 'cost_nano', place),
    price: priceOf(reader, numberAt(chunk, 'price', place)),
  };
}

function priceOf(reader: Reader, price: number | null): AppliedPrice | null {
  if (price === null) return null;
  const [row] = reader.rows('SELECT json FROM event_prices WHERE id = ?', [price]);
  return row === undefined ? null : JSON.parse(String(row[0]));
}
