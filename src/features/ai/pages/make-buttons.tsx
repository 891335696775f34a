import { Button } from '@mantine/core';
import { type JSX, lazy, Suspense, useState } from 'react';
import { useMember } from '../../../dashboard/shell/member.ts';
import type { DraftDocument } from '../draft/answer-documents.ts';

const DocumentDialog = lazy(async () => ({
  default: (await import('./document-dialog.tsx')).DocumentDialog,
}));

const LABELS = {
  alert: 'Create alert',
  budget: 'Create budget',
  view: 'Save view',
  price: 'Set price',
} as const;
/** What only admins may make. */
const LEAST = { alert: 'member', budget: 'member', view: 'member', price: 'admin' } as const;

/** Buttons for what an answer or a recommendation can become; each shows its document first. */
export function MakeButtons({
  drafts,
  onMade,
}: {
  drafts: readonly DraftDocument[];
  onMade?: (as: DraftDocument['as']) => void;
}): JSX.Element {
  const { may } = useMember();
  const [open, setOpen] = useState<DraftDocument | null>(null);
  return (
    <>
      {drafts
        .filter(({ as }) => may(LEAST[as]))
        .map((draft) => (
          <Button key={draft.as} size="compact-xs" variant="default" onClick={() => setOpen(draft)}>
            {LABELS[draft.as]}
          </Button>
        ))}
      {open !== null && (
        <Suspense>
          <DocumentDialog
            draft={open}
            onClose={() => setOpen(null)}
            {...(onMade !== undefined && { onDone: () => onMade(open.as) })}
          />
        </Suspense>
      )}
    </>
  );
}
