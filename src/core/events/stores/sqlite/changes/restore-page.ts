import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { ID_WORDS } from '../columns.ts';
import { hexAt, idWords } from '../packs/id-bytes.ts';
import { readOp } from '../read-op.ts';
import type { Chunk } from '../scan/chunk.ts';
import { openStoredSegment } from '../scan/open-chunks.ts';
import { toBytes } from '../segments/segment-blobs.ts';
import { type StoredSegment, segmentsFrom } from '../segments/stored-segments.ts';
import { type CostEdit, editCosts } from './cost-edit.ts';
import { type CostState, costAt, type PlaceCost } from './cost-state.ts';

/** Kept costs that are to be restored: of one segment, and those before it whose event is gone. */
export type RestorePage = {
  readonly edit: CostEdit | null;
  /** All kept costs that this page deals with. */
  readonly keys: readonly Key[];
  readonly gone: number;
  /** No kept cost is left after this page. */
  readonly isLast: boolean;
};

/** Time and event id in hex. */
type Key = readonly [ts: number, id: string];

/** Kept costs that are looked at to find the next segment. */
const LOOKED_AT = 256;

/** Encodes the kept costs of a re-pricing for the segment of its first event. */
export const restoreRead = readOp('restore-costs', (reader, { id }: { readonly id: string }): RestorePage => {
  const missing = findNext(reader, id);
  const { found } = missing;
  const kept = found === null ? { costs: [], handled: [], gone: 0 } : keptCosts(reader, id, found.chunk);
  const edit = found === null || kept.costs.length === 0 ? null : editCosts(reader, found, kept.costs);
  const keys = [...missing.gone, ...kept.handled];
  const [left] = reader.rows(
    'SELECT count(*) FROM (SELECT 1 FROM repriced_events WHERE project = ? AND repricing = ? LIMIT ?)',
    [reader.projects[0] ?? 0, id, keys.length + 1],
  );
  return {
    edit,
    keys,
    gone: missing.gone.length + kept.gone,
    isLast: Number(left?.[0]) <= keys.length,
  };
});

type Found = { readonly stored: StoredSegment; readonly chunk: Chunk };

/** The segment of the first kept cost whose event is stored, and the kept ones before it. */
function findNext(reader: Reader, id: string): { gone: Key[]; found: Found | null } {
  const project = reader.projects[0] ?? 0;
  const rows = reader.rows(
    'SELECT ts, event_id FROM repriced_events WHERE project = ? AND repricing = ? ORDER BY ts, event_id LIMIT ?',
    [project, id, LOOKED_AT],
  );
  const segments = rows.length === 0 ? [] : segmentsFrom(reader, project, 0);
  const gone: Key[] = [];
  for (const row of rows) {
    const [ts, eventId] = [Number(row[0]), toBytes(row[1] ?? null).toHex()];
    const words = idWords('event_id', eventId);
    for (const stored of segments) {
      if (stored.first > ts || stored.last < ts) continue;
      const chunk = openStoredSegment(reader, stored);
      if (chunk.mayHave('event_id', words) && contains(chunk, words))
        return { gone, found: { stored, chunk } };
    }
    gone.push([ts, eventId]);
  }
  return { gone, found: null };
}

function contains(chunk: Chunk, [a, b, c, d]: Int32Array): boolean {
  const ids = chunk.ids('event_id');
  for (let at = 0; at < ids.length; at += ID_WORDS.event_id)
    if (ids[at] === a && ids[at + 1] === b && ids[at + 2] === c && ids[at + 3] === d) return true;
  return false;
}

type Kept = { readonly costs: readonly PlaceCost[]; readonly handled: readonly Key[]; readonly gone: number };

/**
 * The kept costs of a segment's events. An event with another cost was changed since and is `gone`; one with its old
 * cost was restored by a slice that could not delete what it had kept.
 */
function keptCosts(reader: Reader, id: string, chunk: Chunk): Kept {
  const ts = chunk.numbers('ts');
  const ids = chunk.ids('event_id');
  const keys = Array.from(ts, (time, place): Key => [time, hexAt('event_id', ids, place)]);
  const rows = reader.rows(
    `SELECT k.key, r.old_cost, r.old_status, r.old_price, r.cost, r.status, r.price
     FROM json_each(?) k CROSS JOIN repriced_events r
     WHERE r.project = ? AND r.repricing = ? AND r.ts = k.value ->> 0 AND r.event_id = unhex(k.value ->> 1)`,
    [JSON.stringify(keys), reader.projects[0] ?? 0, id],
  );
  const costs: PlaceCost[] = [];
  let gone = 0;
  for (const [key, ...states] of rows) {
    const place = Number(key);
    const [old, kept] = [toState(states.slice(0, 3)), toState(states.slice(3))];
    const current = costAt(chunk, place);
    if (isSame(current, kept)) costs.push({ place, next: old });
    else if (!isSame(current, old)) gone++;
  }
  return { costs, gone, handled: rows.map(([key]) => keys[Number(key)] as Key) };
}

const isSame = (a: CostState, b: CostState): boolean => a.every((value, i) => value === b[i]);

const toState = (values: readonly SqlValue[]): CostState => {
  const [cost, status, price] = values.map((value) => (value === null ? null : Number(value)));
  return [cost ?? null, status ?? null, price ?? null];
};
