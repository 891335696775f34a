import type { Connection } from '../../../../../db/connection.ts';
import type { Link } from '../../../link-tree.ts';
import { createInsertSegment } from '../../first/insert-segment.ts';
import type { NumberColumn } from '../../sqlite/columns.ts';
import { createLabels } from '../../sqlite/labels/labels.ts';
import { createLinkNumbers } from '../../sqlite/links/link-numbers.ts';
import { decodePack } from '../../sqlite/packs/decode-pack.ts';
import { encodePack } from '../../sqlite/packs/encode-pack.ts';
import type { Chunk } from '../../sqlite/scan/chunk.ts';
import { createSegmentDropper } from '../../sqlite/seal/segment-ops.ts';
import { encodeSegment } from '../../sqlite/segments/encode-segment.ts';
import { gather } from '../../sqlite/segments/gather.ts';
import { labelShapeOf, type MovedRow, toPacked } from './packed-row.ts';

/** Rows per pack: few enough that their distinct texts fit its table. */
const PACK_ROWS = 2_000;

/** The new file while events are copied into it, without the sums. */
export type WorkFile = {
  readonly connection: Connection;
  /** What each copied day was made of, by `PROJECT DAY`. */
  stamps(): ReadonlyMap<string, string>;
  /** Replaces a day in the transaction of `write`, which adds its rows. */
  replaceDay(day: WorkDay, write: (add: AddRows) => Promise<void>): Promise<void>;
  /** Numbers of the segments that hold no events but rows of figures only. */
  keptSegments(): number[];
};

export type WorkDay = { readonly project: number; readonly day: number; readonly stamp: string };

/**
 * Adds rows of the day as a segment.
 * @param links the places of events in the graph of agents and tools by their ids
 */
type AddRows = (rows: readonly MovedRow[], links: ReadonlyMap<string, Link>, isKept: boolean) => void;

/** @param connection to a file with all tables */
export function openWorkFile(connection: Connection): WorkFile {
  connection.exec(
    'CREATE TABLE IF NOT EXISTS move_days (project INTEGER, day INTEGER, stamp TEXT, PRIMARY KEY (project, day))',
  );
  connection.exec(
    'CREATE TABLE IF NOT EXISTS move_segments (no INTEGER PRIMARY KEY, project INTEGER, day INTEGER, kept INTEGER)',
  );
  const insert = createInsertSegment(connection);
  const drop = createSegmentDropper(connection);
  const labels = createLabels(connection);
  const links = createLinkNumbers(connection);
  const priceOf = createPriceNumbers(connection);
  const note = connection.prepare('INSERT INTO move_segments VALUES (?, ?, ?, ?)');
  const noteDay = connection.prepare(
    'INSERT INTO move_days VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp',
  );
  const forgetDay = connection.prepare('DELETE FROM move_days WHERE project = ? AND day = ?');
  const before = connection.prepare('SELECT no FROM move_segments WHERE project = ? AND day = ?').raw(true);
  const forget = connection.prepare('DELETE FROM move_segments WHERE no = ?');

  function chunkOf(project: number, rows: readonly MovedRow[], of: ReadonlyMap<string, Link>): Chunk {
    const pack = encodePack(
      rows.map((row) => toPacked(row, row.price === '' ? null : priceOf(project, row.price))),
    );
    const chunk = decodePack({ ...pack, project, dropped: null, labels: [], flips: [] });
    const ownLabels = Float64Array.from(rows, (row) =>
      labels.numberOf(project, row.key_id, labelShapeOf(row)),
    );
    const ownLinks = Float64Array.from(rows, ({ event_id }) =>
      links.numberOfLink(project, of.get(event_id) ?? null),
    );
    const numbers = (column: NumberColumn): Float64Array =>
      column === 'label' ? ownLabels : column === 'link' ? ownLinks : chunk.numbers(column);
    return { ...chunk, numbers, number: (column, place) => numbers(column)[place] as number };
  }

  return {
    connection,
    stamps: () =>
      new Map(
        (
          connection.prepare('SELECT project, day, stamp FROM move_days').raw(true).all([]) as [
            number,
            number,
            string,
          ][]
        ).map(([project, day, stamp]) => [`${project} ${day}`, stamp]),
      ),
    async replaceDay({ project, day, stamp }, write) {
      connection.exec('BEGIN IMMEDIATE');
      try {
        for (const [no] of before.all([project, day]) as [number][]) {
          drop(no);
          forget.run([no]);
        }
        await write((rows, of, isKept) => {
          if (rows.length === 0) return;
          const chunks = Array.from({ length: Math.ceil(rows.length / PACK_ROWS) }, (_, i) =>
            chunkOf(project, rows.slice(i * PACK_ROWS, (i + 1) * PACK_ROWS), of),
          );
          const masks = chunks.map((chunk) => chunk.present());
          const no = insert(project, encodeSegment(gather(chunks, masks)));
          note.run([no, project, day, Number(isKept)]);
        });
        if (stamp === '') forgetDay.run([project, day]);
        else noteDay.run([project, day, stamp]);
        connection.exec('COMMIT');
      } catch (error) {
        if (connection.inTransaction) connection.exec('ROLLBACK');
        labels.forget();
        links.forget();
        throw error;
      }
    },
    keptSegments: () =>
      (connection.prepare('SELECT no FROM move_segments WHERE kept = 1').raw(true).all([]) as [number][]).map(
        ([no]) => no,
      ),
  };
}

function createPriceNumbers(connection: Connection): (project: number, json: string) => number {
  const find = connection.prepare('SELECT id FROM event_prices WHERE project = ? AND json = ?').raw(true);
  const insert = connection
    .prepare('INSERT INTO event_prices (project, json) VALUES (?, ?) RETURNING id')
    .raw(true);
  return (project, json) => {
    const [found = (insert.all([project, json]) as [number][])[0]] = find.all([project, json]) as [number][];
    return found?.[0] ?? 0;
  };
}
