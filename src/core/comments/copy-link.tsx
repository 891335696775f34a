import { Button, CopyButton } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import type { JSX } from 'react';

/** Copies the address of this page, with a comment or span in it. */
export function CopyLink({
  search,
}: {
  search: Readonly<Record<'comment' | 'span', string | undefined>>;
}): JSX.Element {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const query = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return (
    <CopyButton value={`${location.origin}${path}?${query}`} timeout={1_500}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy}>
          {copied ? 'Copied' : 'Copy link'}
        </Button>
      )}
    </CopyButton>
  );
}
