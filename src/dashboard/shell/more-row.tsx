import { Button, Loader } from '@mantine/core';
import type { JSX } from 'react';
import css from './paged.module.css';
import type { Pages } from './use-pages.ts';

/** The last row of a list that goes on: the next page is coming, or could not be had. */
export function MoreRow<P>({ pages }: { pages: Pages<P> }): JSX.Element {
  if (!pages.isFetchNextPageError || pages.isFetchingNextPage) return <Loader size={14} color="gray" />;
  return (
    <span role="alert" className={css.moreFailed}>
      <span className="bad clip">{pages.error?.message}</span>
      <Button variant="default" size="compact-xs" onClick={() => void pages.fetchNextPage()}>
        Try again
      </Button>
    </span>
  );
}
