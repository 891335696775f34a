import { Button, Drawer } from '@mantine/core';
import { type JSX, useState } from 'react';
import { useScope, useSetSearch } from '../../dashboard/shell/scope/scope.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { numberText } from '../../lib/figures.ts';
import { BookmarkButton } from './bookmark-button.tsx';
import { Comments, type Thread, useComments } from './comments.tsx';

type Props = {
  readonly of: Thread;
  /** Shows the span that a comment is on. */
  readonly onSpan?: (spanId: string) => void;
};

/** Among the controls of a trace's or a session's page: its bookmark, and its comments in a drawer. */
export function ThreadActions({ of, onSpan }: Props): JSX.Element {
  const { search } = useScope('traces/$traceId');
  const setSearch = useSetSearch<'traces/$traceId'>();
  const comments = useComments(of);
  // An address with a comment opens them.
  const [isOpen, setOpen] = useState(search.comment !== undefined);
  const close = (): void => {
    setOpen(false);
    if (search.comment !== undefined) setSearch({ comment: undefined }, { replace: true });
  };
  const count = comments === undefined || comments.length === 0 ? '' : ` (${numberText(comments.length)})`;
  return (
    <>
      <BookmarkButton of={of} />
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="sessions" size={14} />}
        onClick={() => setOpen(true)}
      >
        {`Comments${count}`}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="right"
        size={480}
        padding={0}
        title={<span className="drawer-title">Comments</span>}
        closeButtonProps={{ 'aria-label': 'Close' }}
        classNames={{ header: 'drawer-header', content: 'drawer-content' }}
      >
        <Comments
          of={of}
          onSpan={
            onSpan === undefined
              ? undefined
              : (spanId) => {
                  close();
                  onSpan(spanId);
                }
          }
        />
      </Drawer>
    </>
  );
}
