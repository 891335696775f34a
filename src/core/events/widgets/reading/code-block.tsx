import { ActionIcon, CopyButton } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from '../../../../dashboard/ui/icons.tsx';
import { LongText } from './long-text.tsx';
import css from './reading.module.css';

type Props = { readonly text: string; readonly language?: string; readonly label?: string };

/** Code or JSON with a button that copies it. */
export const CodeBlock = ({ text, language = '', label }: Props): JSX.Element => (
  <div className={css.code}>
    <div className={css.codeHead}>
      <span className="dim">{label ?? language}</span>
      <Copy text={text} />
    </div>
    <section className={css.scroll} tabIndex={0} aria-label={label ?? (language === '' ? 'Code' : language)}>
      <pre>
        <LongText text={text} />
      </pre>
    </section>
  </div>
);

/** A small button that copies a text. */
export const Copy = ({ text, label = 'Copy' }: { text: string; label?: string }): JSX.Element => (
  <CopyButton value={text} timeout={1_500}>
    {({ copied, copy }) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={22}
        aria-label={copied ? 'Copied' : label}
        title={label}
        onClick={copy}
      >
        <Icon name={copied ? 'check' : 'copy'} size={13} />
      </ActionIcon>
    )}
  </CopyButton>
);
