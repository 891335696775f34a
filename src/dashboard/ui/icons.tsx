import type { JSX } from 'react';
import { type IconName, PATHS } from './icon-paths.ts';

/** An icon for the eye only: the text beside it, or the label of its button, says the same. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }): JSX.Element => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.8}
    strokeLinecap="round"
    strokeLinejoin="round"
    className="icon"
  >
    <path d={PATHS[name]} />
  </svg>
);

/** The product's mark. */
export const Mark = ({ size = 20 }: { size?: number }): JSX.Element => (
  <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" className="icon">
    <rect width="24" height="24" rx="6" fill="#3b5bdb" />
    <path d="M6 7.500h12M6 12h8M6 16.500h5" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
  </svg>
);
