import type { ModalProps } from '@mantine/core';
import { type JSX, useState } from 'react';
import { Dialog } from './dialog.tsx';

type Props = Pick<ModalProps, 'title' | 'size' | 'children'> & {
  readonly onClose: () => void;
  /** What was entered is being sent, so that closing does not lose it. */
  readonly busy?: boolean;
};

/** A dialog with a form. When something was entered, Escape and a click beside it do not close it and lose that. */
export function FormModal({ title, size = 'md', busy = false, onClose, children }: Props): JSX.Element {
  const [changed, setChanged] = useState(false);
  const [warned, setWarned] = useState(false);
  const keeps = changed && !busy;
  return (
    <Dialog
      onClose={keeps ? () => setWarned(true) : onClose}
      {...(keeps && { closeButtonProps: { 'aria-label': 'Close', onClick: onClose } })}
      title={title}
      size={size}
    >
      <div onChange={() => setChanged(true)}>{children}</div>
      {warned && keeps && (
        <p role="status" className="dim" ref={(line) => line?.scrollIntoView({ block: 'nearest' })}>
          What you entered is kept. To discard it, choose Cancel.
        </p>
      )}
    </Dialog>
  );
}
