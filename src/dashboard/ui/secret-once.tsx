import { Button, CopyButton } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from './icons.tsx';
import css from './secret-once.module.css';

/** A secret to be copied now: whole, in one piece, with a button. */
export const SecretOnce = ({ value }: { value: string }): JSX.Element => (
  <div className={css.secret}>
    <code>{value}</code>
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  </div>
);
