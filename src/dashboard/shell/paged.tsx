import { Button } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { Panel } from '../ui/panel.tsx';
import { Failure, LoadingRows } from '../ui/states.tsx';
import css from './paged.module.css';
import { isLong, type Pages } from './use-pages.ts';

type Props<P, R> = {
  readonly pages: Pages<P>;
  readonly rowsOf: (page: P) => readonly R[];
  /** Shown where there is nothing. */
  readonly empty: ReactNode;
  readonly more: string;
  /** Whether the page looks again by itself: the list does so only while its first page is all of it. */
  readonly live?: boolean;
  /** The rows are panels themselves. */
  readonly bare?: boolean;
  readonly children: (rows: readonly R[]) => ReactNode;
};

/** A list in its frame, with the way to more of it, and what is there instead of it. */
export function Paged<P, R>({
  pages,
  rowsOf,
  empty,
  more,
  live = false,
  bare = false,
  children,
}: Props<P, R>): JSX.Element {
  const rows = pages.data?.pages.flatMap(rowsOf) ?? [];
  const stale = pages.isPlaceholderData ? 'stale' : '';
  return (
    <>
      {bare && rows.length > 0 ? (
        <div className={stale}>{children(rows)}</div>
      ) : (
        <Panel flush className={stale}>
          {pages.error !== null && pages.data === undefined ? (
            <Failure error={pages.error} retry={() => void pages.refetch()} />
          ) : pages.data === undefined ? (
            <LoadingRows rows={14} />
          ) : rows.length === 0 && !pages.hasNextPage ? (
            empty
          ) : (
            children(rows)
          )}
        </Panel>
      )}
      {pages.hasNextPage && (
        <Button
          variant="default"
          className={css.more}
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {more}
        </Button>
      )}
      {pages.isFetchNextPageError && !pages.isFetchingNextPage && (
        <p role="alert" className="bad">
          {pages.error.message}
        </p>
      )}
      {live && isLong(pages.data) && <p className="dim">Live pauses while more than one page is loaded.</p>}
    </>
  );
}
