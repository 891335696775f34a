import { CloseButton } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

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
  <span className="chip">
    <span className="dim">{label}</span>
    <span className="clip">{children}</span>
    <CloseButton size={18} aria-label={`Remove ${label} filter`} onClick={onRemove} />
  </span>
);
