import type { SqlValue } from '../../../db/connection.ts';
import type { Reader, ReadOp } from '../../../db/reader.ts';
import { badRequest } from '../../../errors.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { SqlPart } from './score-conditions.ts';

/** Which scores to add up, of all projects of the scope. Times in epoch milliseconds, half-open. */
export type SumQuery = {
  readonly names: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly where: readonly SqlPart[];
  /** At most two dimensions. */
  readonly by: readonly SqlPart[];
  /** Length of a slice of time in minutes, which divides each bucket; null for all of the window at once. */
  readonly sliceMinutes: number | null;
};

/** Sums of the scores of one name, category, group and slice of time. */
export type SumRow = {
  readonly name: string;
  readonly category: string | null;
  readonly count: number;
  readonly sum: number;
  readonly key: readonly (string | null)[];
  /** Start of the slice; null without slices. */
  readonly time: number | null;
};

const MAX_ROWS = 400_000;
/** Most scores that a query reads: a microsecond of CPU each. */
const MAX_READ = 5_000_000;

/** Adds up scores of traces, spans and sessions; those of experiments are not among them. */
export const sumScores: ReadOp<SumQuery, SumRow[]> = {
  name: 'scores.sum',
  run(reader, { names, from, to, where, by, sliceMinutes }) {
    const slice = sliceMinutes === null ? null : sliceMinutes * MINUTE_MS;
    const keys = by.map(({ sql }, i) => `${sql} AS k${i}`);
    const columns = ['name', 'category', 'count(*)', 'sum(value)', ...keys];
    if (slice !== null) columns.push(`at - (at % ${slice}) AS slice`);
    const groups = ['name', 'category', ...by.map((_, i) => `k${i}`), ...(slice === null ? [] : ['slice'])];
    const args: SqlValue[] = [
      ...by.flatMap(({ args: own }) => own),
      JSON.stringify(names),
      from,
      to,
      ...where.flatMap(({ args: own }) => own),
      MAX_ROWS + 1,
    ];
    const conditions = where.map(({ sql }) => `AND ${sql}`).join(' ');
    refuseTooMany(reader, { names, from, to });
    const rows = reader.rows(
      `SELECT ${columns.join(', ')} FROM scores
       WHERE name IN (SELECT value FROM json_each(?)) AND at >= ? AND at < ? AND item_id = '' ${conditions}
       GROUP BY ${groups.join(', ')} LIMIT ?`,
      args,
    );
    if (rows.length > MAX_ROWS)
      throw badRequest(
        'groupBy: the scores of the window have too many groups; choose fewer, or a shorter window',
      );
    return rows.map((row) => ({
      name: String(row[0]),
      category: row[1] === null ? null : String(row[1]),
      count: Number(row[2]),
      sum: Number(row[3] ?? 0),
      key: by.map((_, i) => (row[4 + i] === null ? null : String(row[4 + i]))),
      time: slice === null ? null : Number(row[4 + by.length]),
    }));
  },
};

/** Counts in the index, which takes a fraction of reading them. @throws AppError 400 */
function refuseTooMany(reader: Reader, { names, from, to }: Pick<SumQuery, 'names' | 'from' | 'to'>): void {
  const [row] = reader.rows(
    `SELECT count(*) FROM (SELECT 1 FROM scores WHERE name IN (SELECT value FROM json_each(?)) AND at >= ? AND at < ? LIMIT ?)`,
    [JSON.stringify(names), from, to, MAX_READ + 1],
  );
  if (Number(row?.[0] ?? 0) > MAX_READ)
    throw badRequest(
      `The window has more than ${MAX_READ.toLocaleString('en-US')} of these scores; choose a shorter one`,
    );
}
