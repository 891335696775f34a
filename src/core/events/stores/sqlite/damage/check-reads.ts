import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { BATCH_COLUMNS, decodeBatch } from '../packs/decode-batch.ts';
import { jobRead } from '../read-op.ts';
import { openBatch } from '../scan/open-batches.ts';
import { blobsOf } from '../scan/open-chunks.ts';
import { readBlock, readFilterPart, readPiece, type SegmentRow } from '../segments/open-segment.ts';
import { PIECE_SPACE, PIECES } from '../segments/pieces.ts';
import { type Damage, DamagedEvents } from './damaged.ts';

/** Where to begin: the number after that of the last one that was checked. */
type CheckInput = { readonly project: number; readonly from: number };

/** `damaged` and `readable` (noted as damaged, but in order) of a page; `next` is null at the end. */
export type CheckPage = {
  readonly checked: number;
  readonly damaged: readonly Damage[];
  readonly readable: readonly number[];
  readonly next: number | null;
};

/** Maximum duration of a page, so that other reads get their turn. A segment is not divided. */
const PAGE_MS = 60;

/** Compares the checksums of all blobs of some segments. */
export const checkSegmentsRead = jobRead(
  'check-segments',
  (reader, { project, from }: CheckInput): CheckPage => {
    const rows = reader.rows(
      `SELECT no, version, events, first_ts, last_ts, blocks, ready FROM event_segments
     WHERE project = ? AND no >= ? AND ready IN (1, 2) ORDER BY no`,
      [project, from],
    );
    return checkPage(rows, (row) => {
      const [no = 0, version = 0, events = 0, first = 0, last = 0, blocks = 0, ready] = row.map(Number);
      const segment = { no, version, project, events, first, last, blocks, flips: [] };
      return { no, damage: damageIn(() => readBlobs(reader, segment)), isNoted: ready === 2 };
    });
  },
);

/** Decodes the batches of the log. */
export const checkLogRead = jobRead('check-log', (reader, { project, from }: CheckInput): CheckPage => {
  const rows = reader.rows(
    'SELECT seq, events, first_ts, last_ts FROM event_log WHERE project = ? AND seq >= ? ORDER BY seq',
    [project, from],
  );
  return checkPage(rows, (row) => {
    const [seq = 0, events = 0, first = 0, last = 0] = row.map(Number);
    const batch = { project, seq, events, first, last };
    return {
      no: seq,
      damage: damageIn(() => openBatch(reader, batch, { flips: undefined })),
      isNoted: false,
    };
  });
});

/** Decodes the batches that were noted as damaged. */
export const checkDamagedRead = jobRead(
  'check-damaged',
  (reader, { project, from }: CheckInput): CheckPage => {
    const rows = reader.rows(
      `SELECT seq, events, first_ts, last_ts, ${BATCH_COLUMNS} FROM event_log_damaged
     WHERE project = ? AND seq >= ? AND lost = 0 ORDER BY seq`,
      [project, from],
    );
    return checkPage(rows, (row) => {
      const [seq = 0, events = 0, first = 0, last = 0] = row.slice(0, 4).map(Number);
      const batch = { project, seq, events, first, last, flips: [] };
      return { no: seq, damage: damageIn(() => decodeBatch(batch, row.slice(4))), isNoted: true };
    });
  },
);

type Found = { readonly no: number; readonly damage: Damage | null; readonly isNoted: boolean };

function checkPage(rows: readonly SqlValue[][], check: (row: readonly SqlValue[]) => Found): CheckPage {
  const since = performance.now();
  const found: Found[] = [];
  for (const row of rows) {
    if (found.length > 0 && performance.now() - since > PAGE_MS) return toPage(found, Number(row[0]));
    found.push(check(row));
  }
  return toPage(found, null);
}

const toPage = (found: readonly Found[], next: number | null): CheckPage => ({
  checked: found.length,
  damaged: found.flatMap(({ damage }) => damage ?? []),
  readable: found.flatMap(({ no, damage, isNoted }) => (isNoted && damage === null ? no : [])),
  next,
});

/** The damage that a read meets; null if it meets none. */
function damageIn(read: () => void): Damage | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof DamagedEvents) return error.damage;
    throw error;
  }
}

/** Compares the checksum of every blob of a segment. @throws DamagedEvents */
function readBlobs(reader: Reader, segment: SegmentRow): void {
  const blobs = blobsOf(reader, segment);
  for (const name of PIECES) readPiece(segment, blobs, name);
  for (let number = PIECES.length; number < PIECE_SPACE; number++) readFilterPart(segment, blobs, number);
  for (let number = 0; number < segment.blocks; number++) readBlock(segment, blobs, number);
}
