import type { JSX } from 'react';
import { percentText } from '../../lib/figures.ts';

/** A part of a whole as a bar and a percentage. */
export const ShareBar = ({ part, whole }: { part: number; whole: number }): JSX.Element => {
  const share = whole === 0 ? 0 : part / whole;
  return (
    <span className="share-cell">
      <span className="share-track">
        <span className="share" style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
      <span className="dim num">{percentText(share)}</span>
    </span>
  );
};
