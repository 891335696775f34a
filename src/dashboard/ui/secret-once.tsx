import type { JSX } from 'react';
import { CopyText } from './copy-text.tsx';
import css from './secret-once.module.css';

/** A secret to be copied now: whole, in one piece, with a button. */
export const SecretOnce = ({ value }: { value: string }): JSX.Element => (
  <div className={css.secret}>
    <code>{value}</code>
    <CopyText value={value} />
  </div>
);
