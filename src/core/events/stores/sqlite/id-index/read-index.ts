import type { Reader } from '../../../../../db/reader.ts';
import { jobRead } from '../read-op.ts';
import { openStoredSegment } from '../scan/open-chunks.ts';
import type { FilteredId } from '../segments/filter-parts.ts';
import { type StoredSegment, segmentsOf } from '../segments/stored-segments.ts';
import { encodePages, hashesOf } from './id-pages.ts';

/** Segments of an index. Fewer are not worth one: each is asked by a filter of its own. */
export const INDEX_SEGMENTS = 64;

/** What there is to do for a project. */
export type IndexWork = {
  readonly project: number;
  /** Numbers of indexes that are unfinished, or have a segment that was replaced or deleted. */
  readonly stale: readonly number[];
  /** Numbers of segments without an index, as many as one has; null if there are fewer. */
  readonly segments: readonly number[] | null;
};

/** The projects of the scope with something to do. */
export const indexWorkRead = jobRead('index-work', (reader): IndexWork[] => {
  const rows = reader.rows(
    `SELECT project FROM event_segments WHERE ready = 1 GROUP BY project HAVING count(*) >= ${INDEX_SEGMENTS}
     UNION SELECT project FROM event_id_indexes`,
  );
  return rows
    .map(([project]) => workOf(reader, Number(project)))
    .filter(({ stale, segments }) => stale.length > 0 || segments !== null);
});

function workOf(reader: Reader, project: number): IndexWork {
  const numbers = (ready: string): number[] =>
    reader
      .rows(`SELECT no FROM event_segments WHERE ${ready} AND project = ? ORDER BY last_ts`, [project])
      .map(([no]) => Number(no));
  const usable = numbers('ready = 1');
  const stored = new Set([...usable, ...numbers('ready > 1 AND ready = 2')]);
  const stale: number[] = [];
  const indexed = new Set<number>();
  const indexes = reader.rows('SELECT no, ready, segments FROM event_id_indexes WHERE project = ?', [
    project,
  ]);
  for (const [no, ready, json] of indexes) {
    const own: number[] = JSON.parse(String(json));
    if (ready === 1 && own.every((segment) => stored.has(segment))) for (const one of own) indexed.add(one);
    else stale.push(Number(no));
  }
  // The oldest come first: the newest are still merged.
  const free = usable.filter((segment) => !indexed.has(segment)).slice(0, INDEX_SEGMENTS);
  return { project, stale, segments: free.length < INDEX_SEGMENTS ? null : free };
}

type PagesInput = {
  readonly project: number;
  readonly segments: readonly number[];
  readonly column: FilteredId;
};

/** The pages of a column of segments in base64; null if one of these is not stored any more. */
export const indexPagesRead = jobRead(
  'index-pages',
  (reader, { project, segments, column }: PagesInput): string[] | null => {
    const stored = segmentsOf(reader, project, segments);
    if (stored.length < segments.length) return null;
    const byNumber = new Map(stored.map((segment) => [segment.no, segment]));
    const hashes = segments.map((no) => {
      const chunk = openStoredSegment(reader, byNumber.get(no) as StoredSegment);
      return hashesOf(column, chunk.ids(column));
    });
    return encodePages(hashes).map((page) => page.toBase64());
  },
);
