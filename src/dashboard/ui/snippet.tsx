import { ActionIcon, CopyButton } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from './icons.tsx';
import css from './snippet.module.css';

/** Lines to be copied. */
export const Snippet = ({ text, label }: { text: string; label: string }): JSX.Element => (
  <div className={css.snippet}>
    <section tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="default"
          size={26}
          aria-label={copied ? 'Copied' : 'Copy'}
          onClick={copy}
          className={css.snippetCopy}
        >
          <Icon name={copied ? 'check' : 'copy'} size={14} />
        </ActionIcon>
      )}
    </CopyButton>
  </div>
);
