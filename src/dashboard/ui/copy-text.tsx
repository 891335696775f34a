import { Button, CopyButton } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from './icons.tsx';

/** A button that copies a text, and says so for two seconds. */
export const CopyText = ({ value, label = 'Copy' }: { value: string; label?: string }): JSX.Element => (
  <CopyButton value={value} timeout={2_000}>
    {({ copied, copy }) => (
      <Button
        variant="default"
        onClick={copy}
        leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
      >
        {copied ? 'Copied' : label}
      </Button>
    )}
  </CopyButton>
);
