import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { FilteredId } from '../segments/filter-parts.ts';
import { INDEX_SPACE, pageKey } from './page-key.ts';

/** A new index: the numbers of its segments, and of the pages of each column. */
type Begin = {
  readonly project: number;
  readonly segments: readonly number[];
  readonly pages: Readonly<Record<FilteredId, number>>;
};

/** Inserts an index that readers do not use yet. Returns its number; null if the project has no segments any more. */
export const beginIndexOp: WriteOp<Begin, number | null> = {
  name: 'events.begin_index',
  open(connection) {
    const insert = connection
      .prepare(
        `INSERT INTO event_id_indexes (project, ready, segments, trace_id_pages, event_id_pages)
         SELECT ?1, 0, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM event_segments WHERE ready = 1 AND project = ?1)
         RETURNING no`,
      )
      .raw(true);
    return {
      apply({ project, segments, pages }) {
        const [row] = insert.all([
          project,
          JSON.stringify(segments),
          pages.trace_id,
          pages.event_id,
        ]) as number[][];
        return row?.[0] ?? null;
      },
    };
  },
};

/** A page of a column by its number. */
export type IndexPage = { readonly column: FilteredId; readonly number: number; readonly data: Uint8Array };

/** Some pages; `isLast`: readers use the index from now on. */
type Pages = {
  readonly project: number;
  readonly no: number;
  readonly pages: readonly IndexPage[];
  readonly isLast: boolean;
};

/** Inserts pages. Nothing happens if the index was deleted with its project. */
export const indexPagesOp: WriteOp<Pages, void> = {
  name: 'events.index_pages',
  open(connection) {
    const insert = connection.prepare(
      `INSERT INTO event_id_pages (id, project, data)
       SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM event_id_indexes WHERE no = ?4 AND project = ?2)`,
    );
    const finish = connection.prepare('UPDATE event_id_indexes SET ready = 1 WHERE no = ? AND project = ?');
    return {
      apply({ project, no, pages, isLast }) {
        for (const { column, number, data } of pages)
          insert.run([pageKey(no, column, number), project, data, no]);
        if (isLast) finish.run([no, project]);
      },
    };
  },
};

type Drop = { readonly project: number; readonly no: number; readonly most: number };

/**
 * Deletes up to `most` pages of an index, which readers do not use from now on, and the index itself with the last page.
 */
export const dropIndexOp: WriteOp<Drop, number> = {
  name: 'events.drop_index',
  open(connection) {
    const hide = connection.prepare('UPDATE event_id_indexes SET ready = 0 WHERE no = ? AND project = ?');
    const removePages = connection.prepare(
      `DELETE FROM event_id_pages WHERE id IN
       (SELECT id FROM event_id_pages WHERE id >= ? AND id < ? AND project = ? LIMIT ?)`,
    );
    const remove = connection.prepare('DELETE FROM event_id_indexes WHERE no = ? AND project = ?');
    return {
      apply({ project, no, most }) {
        hide.run([no, project]);
        const { changes } = removePages.run([no * INDEX_SPACE, (no + 1) * INDEX_SPACE, project, most]);
        if (changes < most) remove.run([no, project]);
        return changes;
      },
    };
  },
};
