import { Drawer } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

type Props = { readonly opened: boolean; readonly onClose: () => void; readonly children: ReactNode };

/** The pages on a narrow screen; fetched when the menu is first opened. */
export const MenuDrawer = ({ opened, onClose, children }: Props): JSX.Element => (
  <Drawer opened={opened} onClose={onClose} size={264} title="Spanledger" padding="sm">
    {children}
  </Drawer>
);
