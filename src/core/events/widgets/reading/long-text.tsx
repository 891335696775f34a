import { type JSX, type ReactNode, useState } from 'react';
import { numberText } from '../../../../lib/figures.ts';
import { PlainText } from './plain-text.tsx';
import css from './reading.module.css';

/** Texts up to this length are shown whole. */
export const SHORT = 6_000;
/** Lines that a short text may have. */
const SHORT_LINES = 120;
/** Of a longer one this much is shown at first. */
const FIRST = 3_000;
/** A browser lays out only the pieces in sight. */
const PIECE = 20_000;

/** Whether a text is shown whole at once. */
export const isShort = (text: string): boolean =>
  text.length <= SHORT &&
  (text.length < SHORT_LINES || text.split('\n', SHORT_LINES + 1).length <= SHORT_LINES);

type Props = {
  readonly text: string;
  /** Draws the text, or its beginning; as it is if not given. */
  readonly children?: (text: string) => ReactNode;
};

/** A text whose end is folded if it is long. A megabyte, opened, is laid out piece by piece as it comes into sight. */
export function LongText({ text, children = plain }: Props): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  if (isShort(text)) return <>{children(text)}</>;
  const toggle = (
    <button type="button" className={css.showAll} onClick={() => setOpen(!isOpen)}>
      {isOpen ? 'Show less' : `Show all (${numberText(text.length)} characters)`}
    </button>
  );
  if (!isOpen)
    return (
      <>
        {children(beginning(text))}
        {toggle}
      </>
    );
  if (text.length <= PIECE)
    return (
      <>
        {children(text)}
        {toggle}
      </>
    );
  return (
    <>
      {piecesOf(text).map((piece, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
        <span key={place} className={css.piece}>
          <PlainText text={piece} />
        </span>
      ))}
      {toggle}
    </>
  );
}

const plain = (text: string): ReactNode => <PlainText text={text} />;

/** Up to a line's end, if one is near. */
function beginning(text: string): string {
  const lines = text.slice(0, FIRST).split('\n').slice(0, SHORT_LINES);
  return `${(lines.length > 3 && lines.length < SHORT_LINES ? lines.slice(0, -1) : lines).join('\n')} …`;
}

/** Pieces that end with a line where lines are short enough, and never within a character. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const line = text.lastIndexOf('\n', from + PIECE);
    let to = from + PIECE >= text.length ? text.length : line > from ? line + 1 : from + PIECE;
    if (/[\ud800-\udbff]/.test(text[to - 1] ?? '') && to < text.length) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
