import type { ReadOp } from '../../../db/reader.ts';

/** A queue, and how many people annotate each of its items. */
export type CountedQueue = { readonly id: string; readonly annotators: number };
export type CountsQuery = { readonly queues: readonly CountedQueue[]; readonly userId: string };

/** Figures of a queue; `mine` are those of the asking person. */
export type QueueCounts = {
  readonly id: string;
  readonly items: number;
  readonly done: number;
  readonly annotations: number;
  readonly mine: { readonly done: number; readonly skipped: number; readonly open: number };
  readonly people: readonly { readonly userId: string; readonly done: number; readonly skipped: number }[];
};

type Row = {
  items: number;
  done: number;
  annotations: number;
  mineDone: number;
  mineSkipped: number;
  mineOpen: number;
};

/** Progress of queues, and the part of each person. */
export const readCounts: ReadOp<CountsQuery, QueueCounts[]> = {
  name: 'annotation_queues.counts',
  run: (reader, { queues, userId }) =>
    queues.map(({ id, annotators }) => {
      const [row] = reader.all<Row>(
        `SELECT count(*) AS items, coalesce(sum(done >= ?3), 0) AS done, coalesce(sum(done), 0) AS annotations,
           coalesce(sum(mine = 'done'), 0) AS mineDone, coalesce(sum(mine = 'skipped'), 0) AS mineSkipped,
           coalesce(sum(mine IS NULL AND done < ?3), 0) AS mineOpen
         FROM (SELECT count(m.no) FILTER (WHERE m.state = 'done') AS done,
             max(CASE WHEN m.user_id = ?2 AND m.state <> 'claimed' THEN m.state END) AS mine
           FROM annotation_items AS i LEFT JOIN annotation_marks AS m ON m.queue_id = i.queue_id AND m.no = i.no
           WHERE i.queue_id = ?1 GROUP BY i.no)`,
        [id, userId, annotators],
      );
      const people = reader.all<QueueCounts['people'][number]>(
        `SELECT user_id AS userId, sum(state = 'done') AS done, sum(state = 'skipped') AS skipped
         FROM annotation_marks WHERE queue_id = ? AND state <> 'claimed' GROUP BY user_id ORDER BY 2 DESC, 1 LIMIT 200`,
        [id],
      );
      const { items = 0, done = 0, annotations = 0, mineDone = 0, mineSkipped = 0, mineOpen = 0 } = row ?? {};
      return {
        id,
        items,
        done,
        annotations,
        mine: { done: mineDone, skipped: mineSkipped, open: mineOpen },
        people,
      };
    }),
};
