import { CopyButton, UnstyledButton } from '@mantine/core';
import type { JSX } from 'react';
import css from './copy-id.module.css';
import { Icon } from './icons.tsx';

/** An id, cut where it does not fit; a click copies it whole. */
export const CopyId = ({ id }: { id: string }): JSX.Element => (
  <CopyButton value={id} timeout={1_500}>
    {({ copied, copy }) => (
      <UnstyledButton className={`${css.copyId} mono`} onClick={copy} title={`Copy ${id}`}>
        <span className="clip">{id}</span>
        <Icon name={copied ? 'check' : 'copy'} size={13} />
      </UnstyledButton>
    )}
  </CopyButton>
);
