import { toCell } from '../format.ts';
import { shortLengths } from '../ids/short.ts';
import type { Column } from '../output.ts';
import { usageError } from '../user-error.ts';

/** A column of a list; its header is its name in --columns. */
export interface ListColumn<Row> extends Column<Row> {
  /** Shown if the terminal has room, lowest first. Without a rank, a column is always shown. */
  readonly rank?: number;
}

const GAP = 2;
/** Width that is enough for most texts; the table cuts off the rest. */
const ENOUGH = 24;

/**
 * The columns that a terminal has room for, in the given order: those without a rank, then the others by rank as long
 * as they fit. A column that would be empty in all rows is left out.
 */
export const columnsThatFit = <Row>(
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
  width: number,
): readonly ListColumn<Row>[] => {
  const widthOf = (column: ListColumn<Row>): number => {
    const texts = rows.map((row) => toCell(column.value(row)).text);
    if (column.rank !== undefined && texts.every((text) => text === EMPTY)) return Number.POSITIVE_INFINITY;
    const natural = Math.max(...[column.header, ...texts].map((text) => Bun.stringWidth(text)));
    if (column.id) return Math.max(column.header.length, ...shortLengths(texts)) + GAP;
    return (column.fixed ? natural : Math.min(natural, ENOUGH)) + GAP;
  };
  const always = columns.filter(({ rank }) => rank === undefined);
  const chosen = new Set(always);
  let left = width + GAP - always.reduce((sum, column) => sum + widthOf(column), 0);
  for (const column of columns.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))) {
    if (chosen.has(column)) continue;
    const needed = widthOf(column);
    if (needed > left) continue;
    chosen.add(column);
    left -= needed;
  }
  return columns.filter((column) => chosen.has(column));
};

/** What `toCell` makes of a missing value. */
const EMPTY = toCell(null).text;

/** The columns named in --columns, in that order. Throws usage (2) for an unknown name. */
export const columnsNamed = <Row>(
  columns: readonly ListColumn<Row>[],
  names: string,
): readonly ListColumn<Row>[] =>
  names.split(',').map((given) => {
    const column = columns.find(({ header }) => header === given.trim());
    if (column) return column;
    const known = columns.map(({ header }) => header).join(', ');
    throw usageError(`There is no column ${JSON.stringify(given.trim())}`, `Choose from: ${known}`);
  });
