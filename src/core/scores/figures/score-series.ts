import type { SqlValue } from '../../../db/connection.ts';
import type { Reader, ReadOp } from '../../../db/reader.ts';
import type { Condition } from '../../events/filter/contract.ts';
import type { SeriesPart, SeriesQuery } from '../../events/index.ts';
import { conditionSql, dimensionSql, type SqlPart } from './score-conditions.ts';

/** Scores that are added up together: those of a name that match, by one dimension or without. */
export type ScoreShape = {
  readonly name: string;
  /** Counts the scores of a category instead of adding up values; null for values. */
  readonly category: string | null;
  readonly where: readonly Condition[];
  readonly groupBy: string | null;
};

/** Sums of several shapes over several ranges in steps, as `SeriesQuery` of events. */
export type ScoreSeriesQuery = {
  readonly shapes: readonly ScoreShape[];
  readonly ranges: SeriesQuery['ranges'];
};

/** Sums of a cell: the number of scores of the name, and their values or those of the category. */
export const SCORE_SUMS = 2;

/**
 * Adds up scores in steps, each at the time of what it is about. The reply is that of a series of events: each cell has
 * `SCORE_SUMS` sums and no times.
 */
export const readScoreSeries: ReadOp<ScoreSeriesQuery, SeriesPart[]> = {
  name: 'scores.series',
  run: (reader, { shapes, ranges }) =>
    ranges.flatMap((range, place) =>
      range.shapes.flatMap((shape) => {
        const asked = shapes[shape];
        const part = asked === undefined ? null : readPart(reader, asked, range);
        return part === null ? [] : [{ range: place, shape, times: [], ...part }];
      }),
    ),
};

function readPart(
  reader: Reader,
  { name, category, where, groupBy }: ScoreShape,
  { from, to, step }: SeriesQuery['ranges'][number],
): Pick<SeriesPart, 'groups' | 'cells'> | null {
  const conditions = where.map(conditionSql);
  const key: SqlPart = groupBy === null ? { sql: "''", args: [] } : orEmpty(dimensionSql(groupBy));
  const sum = category === null ? 'total(value)' : 'count(*) FILTER (WHERE category = ?)';
  const args: SqlValue[] = [
    step,
    ...key.args,
    ...(category === null ? [] : [category]),
    ...[name, from, to],
    ...conditions.flatMap((one) => one.args),
  ];
  const rows = reader.rows(
    `SELECT CAST(at / ? AS INTEGER) AS step, ${key.sql} AS part, count(*), ${sum} FROM scores
     WHERE name = ? AND at >= ? AND at < ? AND item_id = '' ${conditions.map(({ sql }) => `AND ${sql}`).join(' ')}
     GROUP BY step, part`,
    args,
  );
  if (rows.length === 0) return null;
  const groups = [...new Set(rows.map((row) => String(row[1])))];
  const places = new Map(groups.map((group, place) => [group, place]));
  return {
    groups,
    cells: rows.flatMap((row) => [
      Number(row[0]),
      places.get(String(row[1])) ?? 0,
      Number(row[2]),
      Number(row[3]),
    ]),
  };
}

const orEmpty = ({ sql, args }: SqlPart): SqlPart => ({ sql: `coalesce(${sql}, '')`, args });

/** The scores of some names in a time, in epoch milliseconds, in steps. */
export type ScoreMarksQuery = {
  readonly names: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly step: number;
};
/** The scores of a step, whose number is its time divided by the step. `print` changes with every score. */
export type ScoreMark = { readonly step: number; readonly print: string };

/** Fingerprints of the scores of each step with some, which change however a score or what it is about changes. */
export const readScoreMarks: ReadOp<ScoreMarksQuery, ScoreMark[]> = {
  name: 'scores.marks',
  run: (reader, { names, from, to, step }) =>
    reader
      .rows(
        `SELECT CAST(at / ? AS INTEGER) AS step, count(*), total(value), total(updated_at), total(next_look) FROM scores
         WHERE name IN (SELECT value FROM json_each(?)) AND at >= ? AND at < ? AND item_id = '' GROUP BY step`,
        [step, JSON.stringify(names), from, to],
      )
      .map(([at, ...sums]) => ({ step: Number(at), print: sums.join(' ') })),
};
