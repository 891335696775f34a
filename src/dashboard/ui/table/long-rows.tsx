import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type JSX, type RefObject, useLayoutEffect, useState } from 'react';
import css from './table.module.css';

type Props = {
  readonly table: RefObject<HTMLTableElement | null>;
  readonly count: number;
  /** Of a row, in pixels: all have the same. */
  readonly height: number;
  readonly columns: number;
  /** The row at a place, from 0. */
  readonly row: (place: number) => JSX.Element;
};

/** The rows of a long table that are near those in sight. The others are not in the document. */
export function LongRows({ table, count, height, columns, row }: Props): JSX.Element {
  const [top, setTop] = useState(0);
  const rows = useWindowVirtualizer({ count, estimateSize: () => height, overscan: 30, scrollMargin: top });
  useLayoutEffect(() => {
    if (table.current !== null) setTop(table.current.getBoundingClientRect().top + window.scrollY);
  }, [table]);
  const shown = rows.getVirtualItems();
  const after = count - (shown.at(-1)?.index ?? -1) - 1;
  return (
    <>
      <Space height={(shown[0]?.index ?? 0) * height} columns={columns} />
      {shown.map(({ index }) => row(index))}
      <Space height={after * height} columns={columns} />
    </>
  );
}

/** Stands for rows that are not in the document. */
const Space = ({ height, columns }: { height: number; columns: number }): JSX.Element | null =>
  height === 0 ? null : (
    <tr className={css.space} data-partial="">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
