import { CloseButton } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import css from './chip.module.css';

/** A filter that is on, with its way out. */
export const Chip = ({
  label,
  onRemove,
  children,
}: {
  label: string;
  onRemove: () => void;
  children: ReactNode;
}): JSX.Element => (
  <span className={css.chip}>
    <span className="dim">{label}</span>
    <span className="clip">{children}</span>
    <CloseButton size={18} aria-label={`Remove ${label} filter`} onClick={onRemove} />
  </span>
);
