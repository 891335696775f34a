import type { Ctx } from '../../../../../context.ts';
import { DamagedBlob } from '../codecs/frame.ts';
import { readEvents } from '../damage/read-events.ts';
import { jobRead } from '../read-op.ts';
import { toBytes } from '../segments/segment-blobs.ts';
import { decodePage } from './id-pages.ts';
import { dropIndexOp } from './index-ops.ts';
import { INDEX_SPACE } from './page-key.ts';

type Checked = { readonly no: number; readonly isIntact: boolean };

/** Reads all pages of a project's first index from a number on; null without one. */
export const checkIndexRead = jobRead(
  'check-index',
  (reader, { project, from }: { readonly project: number; readonly from: number }): Checked | null => {
    const [row] = reader.rows(
      `SELECT no, trace_id_pages + event_id_pages FROM event_id_indexes
       WHERE ready = 1 AND project = ? AND no >= ? ORDER BY no LIMIT 1`,
      [project, from],
    );
    if (row === undefined) return null;
    const [no = 0, pages = 0] = row.map(Number);
    const found = reader.rows('SELECT data FROM event_id_pages WHERE id >= ? AND id < ?', [
      no * INDEX_SPACE,
      (no + 1) * INDEX_SPACE,
    ]);
    return {
      no,
      isIntact: found.length === pages && found.every(([data = null]) => isReadable(toBytes(data))),
    };
  },
);

function isReadable(page: Uint8Array): boolean {
  try {
    decodePage(page);
    return true;
  } catch (error) {
    if (error instanceof DamagedBlob) return false;
    throw error;
  }
}

/** Reads all indexes of a project. Damaged ones are not used any more, and the next run of the job builds them anew. */
export async function checkIndexes(ctx: Ctx, project: number, signal: AbortSignal): Promise<void> {
  for (let from = 0; ; ) {
    signal.throwIfAborted();
    const found = (await readEvents(ctx, checkIndexRead, [project], { project, from })).parse();
    if (found === null) return;
    // The job deletes its pages.
    if (!found.isIntact) await ctx.db.writer.write(dropIndexOp, { project, no: found.no, most: 0 });
    from = found.no + 1;
  }
}
