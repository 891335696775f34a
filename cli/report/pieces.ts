import { countText, numberText } from '../../src/lib/figures.ts';
import { truncate } from '../fit.ts';
import { type Cell, type CellValue, missing, printable } from '../format.ts';
import { utcTime } from '../moment.ts';
import type { Column, Output } from '../output.ts';
import { tinted } from './figures.ts';

/** A labelled figure with an optional note. */
export interface Fact {
  readonly label: string;
  readonly value: Cell;
  readonly change?: Cell;
  readonly note?: string;
}

const factColumns: readonly Column<Fact>[] = [
  { header: '', value: ({ label }) => tinted(label, 'dim'), fixed: true },
  { header: '', value: ({ value }) => ({ ...value, tone: value.tone ?? 'bold', align: 'right' }) },
  { header: '', value: ({ change }) => change ?? { text: '', align: 'right' } },
  { header: '', value: ({ note }) => tinted(note ?? '', 'dim') },
];

/** Prints figures one per line, aligned. */
export const facts = (output: Output, rows: readonly Fact[]): void => {
  const used = factColumns.filter(
    (column, i) => i < 2 || rows.some((row) => textOf(column.value(row)) !== ''),
  );
  const widthOf = (texts: readonly string[]): number =>
    Math.max(...texts.map((text) => Bun.stringWidth(text)));
  const beside = [
    widthOf(rows.map(({ label }) => label)),
    widthOf(rows.map(({ change }) => change?.text ?? '')),
    Math.min(MOST_NOTE, widthOf(rows.map(({ note = '' }) => note))),
  ].reduce((sum, width) => sum + width + GAP, 0);
  const fit = ({ text, ...rest }: Cell): Cell => ({
    ...rest,
    text: truncate(printable(text), Math.max(LEAST_VALUE, output.columns - beside)),
  });
  output.table(
    used,
    rows.map((row) => ({ ...row, value: fit(row.value) })),
  );
};

/** Columns between two cells. */
const GAP = 2;
/** Columns that a value gets at least, since it may be a name of any length, and that it leaves to its note. */
const LEAST_VALUE = 12;
const MOST_NOTE = 28;

const textOf = (value: CellValue): string =>
  typeof value === 'object' && value !== null ? value.text : String(value ?? '');

/** The change of a count or sum and what it was before; without the change if that time is recorded in part. */
export const compared = (
  change: Cell,
  note: string,
  { recordedSince }: { readonly recordedSince?: string | undefined },
): Pick<Fact, 'change' | 'note'> =>
  recordedSince === undefined
    ? { change, note }
    : {
        change: missing,
        note: `recorded since ${recordedSince.slice(0, 10)}`,
      };

/** `1 of 5 calls has no known price and is not included` */
export const unpricedCalls = ({ unpriced, calls }: { unpriced: number; calls: number }): string =>
  `${numberText(unpriced)} of ${countText(calls, 'call')} ${unpriced === 1 ? 'has no known price and is' : 'have no known price and are'} not included`;

/** Prints an empty line and a section title. */
export const section = (output: Output, title: string, note = ''): void => {
  output.raw('\n');
  output.line(tinted(title, 'bold'), tinted(note && `· ${note}`, 'dim'));
};

/** Prints a text with its line breaks, or any other value as indented JSON. */
export const block = (output: Output, value: unknown): void => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  output.raw(`${printable(text)}\n`);
};

/**
 * Warns on stderr of what is in no figure of a document: damaged events, and calls that retention has deleted; and of hours
 * that count as a whole.
 */
export const warnLeftOut = (output: Output, doc: object): void => {
  if ('missing' in doc && typeof doc.missing === 'number') {
    const events = countText(doc.missing, 'damaged event');
    output.warn(`No figure contains ${events} of about this window; run \`spanledger events check\``);
  }
  if ('deletedBefore' in doc && typeof doc.deletedBefore === 'string')
    output.warn(
      `Calls before ${utcTime(Date.parse(doc.deletedBefore))} have been deleted (retention); these figures, and those that they are compared with, leave them out`,
    );
  if ('countedWhole' in doc && Array.isArray(doc.countedWhole)) {
    const spans = (doc.countedWhole as readonly { readonly start: string; readonly end: string }[]).map(
      ({ start, end }) => `${utcTime(Date.parse(start))} to ${utcTime(Date.parse(end) + 1)}`,
    );
    output.warn(
      `Only sums are left of ${spans.join(' and ')} (retention or damage); figures that have them count all of that time, although it lies only partly in the window`,
    );
  }
};
