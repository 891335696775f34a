import { Button } from '@mantine/core';
import { type JSX, lazy, Suspense, useState } from 'react';
import type { Targets } from '../../core/datasets/pages/add-to-dataset.tsx';
import { useMember } from '../../dashboard/shell/member.ts';

const AddToDataset = lazy(async () => ({
  default: (await import('../../core/datasets/pages/add-to-dataset.tsx')).AddToDataset,
}));
const AddToQueue = lazy(async () => ({
  default: (await import('../../core/annotation-queues/pages/add-to-queue.tsx')).AddToQueue,
}));

type Props = { readonly targets: Targets; readonly onAdded?: () => void };

/** Buttons that add traces or spans to a dataset or an annotation queue; nothing for viewers. */
export function AddTraces({ targets, onAdded }: Props): JSX.Element | null {
  const { may } = useMember();
  const [open, setOpen] = useState<'dataset' | 'queue' | null>(null);
  if (!may('member')) return null;
  const Dialog = open === 'dataset' ? AddToDataset : AddToQueue;
  return (
    <>
      <Button size="xs" variant="default" disabled={targets.length === 0} onClick={() => setOpen('dataset')}>
        Add to dataset
      </Button>
      <Button size="xs" variant="default" disabled={targets.length === 0} onClick={() => setOpen('queue')}>
        Add to queue
      </Button>
      {open !== null && (
        <Suspense>
          <Dialog
            targets={targets}
            onClose={() => setOpen(null)}
            {...(onAdded !== undefined && { onAdded })}
          />
        </Suspense>
      )}
    </>
  );
}
