import type { Reader } from '../../../../../db/reader.ts';
import type { Window } from '../../../selection.ts';
import { DamagedBlob } from '../codecs/frame.ts';
import { openLine, unsealedLines } from '../links/unsealed-links.ts';
import type { Chunk } from '../scan/chunk.ts';
import { segmentsOf } from '../scan/open-chunks.ts';
import { readBlobs } from '../scan/read-blobs.ts';
import type { LinkAgents } from './link-agents.ts';
import { decodeRunRows } from './run-blob.ts';
import { type RunRows, runRowsOf } from './run-rows.ts';

/** Kept rows of a segment are its rows only if its version and flips are still those of then. */
export const IS_CURRENT = 'r.version = s.version AND r.flips IS f.places';

/** Segments whose kept rows are read at once: about two megabytes. */
const AT_ONCE = 32;

/** The rows of a segment or batch; `chunk` opens it, for what the rows do not have. */
export type FoundRows = { readonly rows: RunRows; chunk(): Chunk };

/** The rows of a project's events in a window: those that are kept, and those of other segments and batches. */
export function* rowsIn(
  reader: Reader,
  {
    project,
    window,
    links,
  }: { readonly project: number; readonly window: Window; readonly links: LinkAgents },
): Generator<FoundRows> {
  const current = currentRows(reader, project);
  const refs = segmentsOf(reader, project, window);
  for (let at = 0; at < refs.length; at += AT_ONCE) {
    const some = refs.slice(at, at + AT_ONCE);
    const kept = keptRows(
      reader,
      some.flatMap(({ segment }) => (segment !== null && current.has(segment) ? segment : [])),
    );
    for (const { segment, open } of some)
      yield { rows: kept.get(segment ?? 0) ?? runRowsOf(open(), links), chunk: open };
  }
  for (const line of unsealedLines(reader, project, window)) {
    const chunk = openLine(reader, project, line);
    yield { rows: runRowsOf(chunk, links), chunk: () => chunk };
  }
}

/** The numbers of a project's segments whose kept rows are current. */
function currentRows(reader: Reader, project: number): Set<number> {
  const rows = reader.rows(
    `SELECT s.no FROM event_segment_runs r JOIN event_segments s ON s.no = r.id
       LEFT JOIN event_segment_flips f ON f.no = s.no
     WHERE s.ready = 1 AND s.project = ? AND ${IS_CURRENT}`,
    [project],
  );
  return new Set(rows.map(([no]) => Number(no)));
}

/** Rows that can't be read are left out: they only save time. */
function keptRows(reader: Reader, segments: readonly number[]): Map<number, RunRows> {
  const found = new Map<number, RunRows>();
  for (const [no, data] of readBlobs(reader, 'event_segment_runs', segments)) {
    try {
      found.set(no, decodeRunRows(data));
    } catch (error) {
      if (!(error instanceof DamagedBlob)) throw error;
    }
  }
  return found;
}
