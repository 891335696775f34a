import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** More rows are not all in the document, so that scrolling stays smooth. */
export const MOST_ROWS = 400;

/** Which rows are in the document, and the height of those before and after them in pixels. */
export type ShownRows = {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
};

/** The rows near those in sight; all of a short table, and where rows differ in height. */
export function useShownRows(
  body: RefObject<HTMLElement | null>,
  {
    count,
    height,
    isUneven,
  }: { readonly count: number; readonly height: number; readonly isUneven: boolean },
): ShownRows {
  const isLong = count > MOST_ROWS && !isUneven;
  const [top, setTop] = useState(0);
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    overscan: 30,
    scrollMargin: top,
    enabled: isLong,
  });
  useLayoutEffect(() => {
    if (isLong && body.current !== null) setTop(body.current.getBoundingClientRect().top + window.scrollY);
  }, [isLong, body]);
  if (!isLong) return { from: 0, to: count, before: 0, after: 0 };
  const shown = rows.getVirtualItems();
  const [first, last] = [shown[0]?.index ?? 0, (shown.at(-1)?.index ?? 0) + 1];
  return { from: first, to: last, before: first * height, after: (count - last) * height };
}

/** The widths that a table's columns had when they were first to be held, so that they do not change with the rows. */
export function useHeldWidths(
  table: RefObject<HTMLTableElement | null>,
  isHeld: boolean,
  columns: string,
): readonly number[] | null {
  const [held, setHeld] = useState<readonly number[] | null>(null);
  const of = useRef('');
  useLayoutEffect(() => {
    const wanted = isHeld ? columns : '';
    if (of.current === wanted) return;
    of.current = wanted;
    const heads = [...(table.current?.querySelectorAll('th') ?? [])];
    setHeld(isHeld ? heads.map((head) => head.getBoundingClientRect().width) : null);
  }, [table, isHeld, columns]);
  return held;
}
