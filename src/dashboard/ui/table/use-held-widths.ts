import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

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
