import { ActionIcon, Tooltip } from '@mantine/core';
import { type JSX, lazy, Suspense, useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { useMember } from '../member.ts';
import type { Card } from './card.ts';

const Dialog = lazy(async () => ({ default: (await import('./add-dialog.tsx')).AddDialog }));

/** Puts what a chart shows on a dashboard of one's choice; nothing for viewers. */
export function AddToDashboard({ card }: { readonly card: Card }): JSX.Element | null {
  const { may } = useMember();
  const [isOpen, setIsOpen] = useState(false);
  if (!may('member')) return null;
  return (
    <>
      <Tooltip label="Add to dashboard">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label="Add to dashboard"
          onClick={() => setIsOpen(true)}
        >
          <Icon name="dashboards" size={15} />
        </ActionIcon>
      </Tooltip>
      {isOpen && (
        <Suspense>
          <Dialog card={card} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
