import { Modal, type ModalProps } from '@mantine/core';
import type { JSX } from 'react';
import { useReturnFocus } from './use-return-focus.ts';

/** A dialog that is open while it is there. Where the focus was, it is again afterwards. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'centered'>): JSX.Element {
  useReturnFocus();
  return <Modal opened centered {...props} />;
}
