import type { Connection, SqlValue } from '../../../../../db/connection.ts';

/** The links of unsealed batches: for each place the number of its link, 0 without one. */
export type LogLinks = {
  /** Empty for a batch without links. */
  of(seq: number): number[];
  write(project: number, seq: number, links: readonly number[]): void;
  /** Keeps those of a new batch in memory, which gets a row only if one is not 0. */
  add(project: number, seq: number, links: number[]): void;
  /** Clears what a rollback may have made wrong. */
  forget(): void;
};

/** Links of batches in memory. */
const KEPT_LINKS = 50_000;

/** @param keeps whether it keeps links in memory; only the one that writes them may */
export function createLogLinks(connection: Connection, keeps: boolean): LogLinks {
  let kept = new Map<number, number[]>();
  let held = 0;
  const keep = (seq: number, links: number[]): void => {
    if (!keeps) return;
    if (held > KEPT_LINKS) {
      kept = new Map();
      held = 0;
    }
    kept.set(seq, links);
    held += links.length;
  };
  const read = connection.prepare('SELECT links FROM event_log_links WHERE seq = ?').raw(true);
  const write = connection.prepare(
    `INSERT INTO event_log_links (seq, project, links) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET links = excluded.links`,
  );
  const store = (project: number, seq: number, links: readonly number[]): void => {
    write.run([seq, project, `[${links.join()}]`]);
  };
  return {
    of(seq) {
      const known = kept.get(seq);
      if (known !== undefined) return known;
      const [row] = read.all([seq]) as SqlValue[][];
      const links = linksOf(row?.[0] ?? null);
      if (links.length > 0) keep(seq, links);
      return links;
    },
    write: store,
    add(project, seq, links) {
      keep(seq, links);
      if (links.some((link) => link !== 0)) store(project, seq, links);
    },
    forget() {
      kept = new Map();
      held = 0;
    },
  };
}

/** A value of `event_log_links.links`, null without a row. */
export const linksOf = (json: SqlValue): number[] =>
  json === null ? [] : (JSON.parse(String(json)) as number[]);
