import { Drawer } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import css from './menu-drawer.module.css';

type Props = { readonly opened: boolean; readonly onClose: () => void; readonly children: ReactNode };

/** The pages on a narrow screen; fetched when the menu is first opened. */
export const MenuDrawer = ({ opened, onClose, children }: Props): JSX.Element => (
  <Drawer
    opened={opened}
    onClose={onClose}
    size={264}
    title="Spanledger"
    padding="sm"
    classNames={{ content: css.drawer ?? '', body: css.drawerBody ?? '' }}
  >
    {children}
  </Drawer>
);
