import type { Connection, SqlValue } from '../../../../../db/connection.ts';

/** The links of unsealed batches: for each place the number of its link, 0 without one. */
export type LogLinks = {
  /** Empty for a batch without links. */
  of(seq: number): number[];
  write(project: number, seq: number, links: readonly number[]): void;
};

export function createLogLinks(connection: Connection): LogLinks {
  const read = connection.prepare('SELECT links FROM event_log_links WHERE seq = ?').raw(true);
  const write = connection.prepare(
    `INSERT INTO event_log_links (seq, project, links) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET links = excluded.links`,
  );
  return {
    of(seq) {
      const [row] = read.all([seq]) as SqlValue[][];
      return linksOf(row?.[0] ?? null);
    },
    write(project, seq, links) {
      write.run([seq, project, JSON.stringify(links)]);
    },
  };
}

/** A value of `event_log_links.links`, null without a row. */
export const linksOf = (json: SqlValue): number[] =>
  json === null ? [] : (JSON.parse(String(json)) as number[]);
