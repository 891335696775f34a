import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { Job } from '../../../../../module.ts';
import { paced } from '../../../../jobs/index.ts';
import { projects } from '../../../../projects/table.ts';
import { readEvents } from '../damage/read-events.ts';
import { readOp } from '../read-op.ts';
import { openStoredSegment } from '../scan/open-chunks.ts';
import { type StoredSegment, segmentsOf } from '../segments/stored-segments.ts';
import { linkAgents } from './link-agents.ts';
import { encodeRunRows } from './run-blob.ts';
import { runRowsOf } from './run-rows.ts';
import { IS_CURRENT } from './stored-rows.ts';

/** The rows of a segment as it was read. */
type KeptRows = Pick<StoredSegment, 'no' | 'version' | 'flips'> & { readonly base64: string };

/** How long segments are read at once, so that other reads get their turn. */
const PAGE_MS = 60;
/** Segments with other rows by now are found again this many at a time. */
const MOST = 64;

/** Encodes rows of segments that have none or no current ones, from a number on; empty if there are none. */
export const missingRowsRead = readOp(
  'missing-run-rows',
  (reader, { project, from }: { readonly project: number; readonly from: number }): KeptRows[] => {
    const since = performance.now();
    const numbers = reader
      .rows(
        `SELECT s.no FROM event_segments s LEFT JOIN event_segment_flips f ON f.no = s.no
           LEFT JOIN event_segment_runs r ON r.id = s.no AND ${IS_CURRENT}
         WHERE s.ready = 1 AND s.project = ?1 AND s.no >= ?2 AND r.id IS NULL
           AND EXISTS (SELECT 1 FROM event_links WHERE project = ?1)
         ORDER BY s.no LIMIT ${MOST}`,
        [project, from],
      )
      .map(([no]) => Number(no));
    if (numbers.length === 0) return [];
    const links = linkAgents(reader, project);
    const found: KeptRows[] = [];
    for (const stored of segmentsOf(reader, project, numbers)) {
      const { no, version, flips } = stored;
      const rows = runRowsOf(openStoredSegment(reader, stored), links);
      found.push({ no, version, flips, base64: encodeRunRows(rows).toBase64() });
      if (performance.now() - since > PAGE_MS) break;
    }
    return found;
  },
);

type Keep = { readonly project: number; readonly rows: readonly KeptRows[] };

/** Keeps rows of segments that are still there. Rows of a segment that changed since are not current, and do no harm. */
export const keepRowsOp: WriteOp<Keep, void> = {
  name: 'events.keep_run_rows',
  open(connection) {
    const keep = connection.prepare(
      `INSERT INTO event_segment_runs (id, project, version, flips, data)
       SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM event_segments WHERE no = ?1 AND project = ?2)
       ON CONFLICT DO UPDATE SET version = excluded.version, flips = excluded.flips, data = excluded.data`,
    );
    return {
      apply({ project, rows }) {
        for (const { no, version, flips, base64 } of rows)
          keep.run([no, project, version, flips, Uint8Array.fromBase64(base64)]);
      },
    };
  },
};

/** Puts together what segments say about runs, so that figures of runs need not read their events. */
export const keepRunRowsJob: Job = {
  name: 'events.sum_runs',
  summary: 'Sum up the runs of agents in sealed events, so that their figures are read fast',
  schedule: '*/3 * * * *',
  run: async (ctx, signal) => {
    let segments = 0;
    for (const { no: project } of await ctx.db.sql.select({ no: projects.no }).from(projects)) {
      segments += await paced<number>({
        from: 0,
        signal,
        slice: async (from) => {
          const rows = (await readEvents(ctx, missingRowsRead, [project], { project, from })).parse();
          if (rows.length === 0) return { next: null, done: 0 };
          await ctx.db.writer.write(keepRowsOp, { project, rows });
          return { next: (rows.at(-1)?.no ?? from) + 1, done: rows.length };
        },
      });
    }
    return segments === 0 ? {} : { segments };
  },
};
