import { Chalk, type ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import { fitWidths, truncate } from './fit.ts';
import { type Cell, type CellValue, printable, type Tone, toCell } from './format.ts';
import { shortLengths } from './ids/short.ts';

/** A column of a table: its heading and the value of a row. */
export interface Column<Row> {
  readonly header: string;
  readonly value: (row: Row) => CellValue;
  /** Text that is never cut off (ids, keys to copy). */
  readonly fixed?: true;
  /** An id: where the table is too wide, only its start is shown, as much as tells it apart from the other rows. */
  readonly id?: true;
  /** Left out where the table would otherwise be cut: a bar, a date that is rarely needed. */
  readonly spare?: true;
}

interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Whether each stream is coloured; see `chooseColor`. */
  readonly color: { readonly stdout: boolean; readonly stderr: boolean };
  /** Width of the terminal; 80 without a terminal. */
  readonly columns: number | undefined;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** The output of a command: data to stdout, messages to stderr. */
export interface Output {
  readonly json: boolean;
  readonly columns: number;
  /** The command's data: `doc` as one JSON document with --json, otherwise what `render` prints. */
  readonly result: (doc: unknown, render: () => void) => void;
  /** One line of data, the pieces joined. Prints nothing with --json, like the next two. */
  readonly line: (...pieces: CellValue[]) => void;
  readonly heading: (text: string) => void;
  /** Omits the heading line if no column has a heading. */
  readonly table: <Row>(columns: readonly Column<Row>[], rows: readonly Row[]) => void;
  /** Text printed unchanged and uncoloured: a CSV, a script, a key. */
  readonly raw: (text: string) => void;
  readonly info: (message: string) => void;
  readonly success: (message: string) => void;
  readonly warn: (message: string) => void;
  /** Only with --verbose. */
  readonly detail: (message: string) => void;
  /** A failure: one line says what happened, one how to fix it; with --json a document. Always shown. */
  readonly error: (failure: { what: string; fix: string; code: string; stack?: string | undefined }) => void;
}

/**
 * Writes for people and for scripts. All text is stripped of control characters, because names come from tenants
 * and must not control the terminal.
 */
export const createOutput = (options: OutputOptions): Output => {
  const { json, quiet, verbose, stdout, stderr } = options;
  const columns = Math.max(40, options.columns ?? 80);
  const out = painter(options.color.stdout);
  const err = painter(options.color.stderr);
  const data = (text: string): void => {
    if (!json) stdout(`${text}\n`);
  };
  const message = (mark: Cell, text: string): void => stderr(`${err(mark)} ${printable(text)}\n`);
  return {
    json,
    columns,
    result: (doc, render) => (json ? stdout(`${jsonText(doc, 2)}\n`) : render()),
    line: (...pieces) =>
      data(
        pieces
          .map((piece) => out(toCell(piece)))
          .join(' ')
          .trimEnd(),
      ),
    heading: (text) => data(out({ text: printable(text), tone: 'bold' })),
    table: (shape, rows) => data(renderTable({ shape, rows, columns, paint: out })),
    raw: (text) => stdout(text),
    info: (text) => void (quiet || message({ text: '›', tone: 'accent' }, text)),
    success: (text) => void (quiet || message({ text: '✓', tone: 'good' }, text)),
    warn: (text) => message({ text: '!', tone: 'warn' }, text),
    detail: (text) => void (verbose && message({ text: '·', tone: 'dim' }, text)),
    error: ({ what, fix, code, stack }) => {
      if (json) return stderr(`${jsonText({ error: what, fix, code, stack })}\n`);
      const label = err({ text: `error[${code}]:`, tone: 'bad' });
      stderr(`${label} ${oneLine(what)}\n${err({ text: '  fix:', tone: 'dim' })} ${oneLine(fix)}\n`);
      if (stack) stderr(`${err({ text: printable(stack), tone: 'dim' })}\n`);
    },
  };
};

/** JSON whose control characters are escaped, also those that JSON allows and a terminal interprets. */
export const jsonText = (doc: unknown, indent?: number): string =>
  JSON.stringify(doc, null, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

interface ColorWishes {
  readonly flag: 'auto' | 'always' | 'never';
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

/** Precedence: the flag, NO_COLOR, FORCE_COLOR, a dumb terminal, whether it is a terminal. */
export const chooseColor = ({ flag, env, isTerminal }: ColorWishes): boolean => {
  if (flag !== 'auto') return flag === 'always';
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTerminal && env.TERM !== 'dumb';
};

/** Turns a cell into text, with or without colour. */
export type Paint = (cell: Cell) => string;

/** Colours by tone, for the help pages that commander writes. Commands use `createOutput`. */
export const painter = (color: boolean): Paint => {
  // Only the sixteen standard colours, which follow the terminal's theme.
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const tones: Record<Tone, ChalkInstance | undefined> = {
    plain: undefined,
    dim: chalk.dim,
    bold: chalk.bold,
    accent: chalk.cyan,
    good: chalk.green,
    bad: chalk.red,
    warn: chalk.yellow,
  };
  return ({ text, tone = 'plain' }) => tones[tone]?.(text) ?? text;
};

const oneLine = (text: string): string => printable(text).replace(/\s*\n\s*/g, ' ');

interface TableParts<Row> {
  readonly shape: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly columns: number;
  readonly paint: Paint;
}

const gap = 2;
const chars = Object.fromEntries(
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle'
    .split(' ')
    .map((name) => [name, '']),
);

interface Fitted<Row> {
  readonly shape: readonly Column<Row>[];
  readonly cells: readonly Cell[][];
}

/** The columns and cells to print: where not all fit, ids are shortened, then spare columns go, the last one first. */
const toFit = <Row>(all: readonly Column<Row>[], rows: readonly Row[], columns: number): Fitted<Row> => {
  const cellsOf = (shape: readonly Column<Row>[]) =>
    rows.map((row) => shape.map((column) => toCell(column.value(row))));
  let shape = all;
  let cells = cellsOf(shape);
  if (!isTooWide(shape, cells, columns)) return { shape, cells };
  cells = shortenIds(shape, cells);
  while (isTooWide(shape, cells, columns)) {
    const place = shape.findLastIndex(({ spare }) => spare === true);
    if (place === -1) break;
    shape = shape.toSpliced(place, 1);
    cells = shortenIds(shape, cellsOf(shape));
  }
  return { shape, cells };
};

const isTooWide = <Row>(shape: readonly Column<Row>[], cells: readonly Cell[][], columns: number): boolean =>
  shape.reduce(
    (sum, { header }, i) =>
      sum +
      gap +
      Math.max(...[header, ...cells.map((row) => row[i]?.text ?? '')].map((t) => Bun.stringWidth(t))),
    -gap,
  ) > columns;

const shortenIds = <Row>(shape: readonly Column<Row>[], cells: readonly Cell[][]): Cell[][] => {
  const lengths = shape.map(({ id }, i) =>
    id ? shortLengths(cells.map((row) => row[i]?.text ?? '')) : undefined,
  );
  return cells.map((row, at) =>
    row.map((cell, i) => {
      const length = lengths[i]?.[at];
      return length === undefined ? cell : { ...cell, text: cell.text.slice(0, length) };
    }),
  );
};

const renderTable = <Row>({ shape: all, rows, columns, paint }: TableParts<Row>): string => {
  const { shape, cells } = toFit(all, rows, columns);
  const right = shape.map((_, i) => cells.length > 0 && cells.every((row) => row[i]?.align === 'right'));
  const figures = shape.map((_, i) =>
    Math.max(0, ...cells.map((row) => Bun.stringWidth(row[i]?.text ?? ''))),
  );
  const natural = shape.map(({ header }, i) => Math.max(Bun.stringWidth(header), figures[i] ?? 0));
  const shrinkable = shape.map((column, i) => !column.fixed && !column.id && !right[i]);
  const widths = fitWidths(natural, { shrinkable, figures }, columns - gap * (shape.length - 1));
  const fit = (cell: Cell, i: number): string =>
    paint({ ...cell, text: truncate(cell.text, widths[i] ?? 0) });
  const last = shape.length - 1;
  const table = new Table({
    head: shape.every(({ header }) => header === '')
      ? []
      : shape.map(({ header }, i) => fit({ text: header, tone: 'dim' }, i)),
    // Empty styles: by default the library colours head and border even into a pipe.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap, compact: true },
    colAligns: right.map((isRight) => (isRight ? 'right' : 'left')),
    colWidths: widths.map((width) => width + gap),
    chars,
  });
  table.push(...cells.map((row) => row.map(fit)));
  const lines = table.toString().split('\n');
  return lines.map((line) => (last >= 0 ? line.trimEnd() : line)).join('\n');
};
