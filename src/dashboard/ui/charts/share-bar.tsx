import type { JSX } from 'react';
import { percentText } from '../../../lib/figures.ts';
import css from './share-bar.module.css';

/** A part of a whole as a bar and a percentage. */
export const ShareBar = ({ part, whole }: { part: number; whole: number }): JSX.Element => {
  const share = whole === 0 ? 0 : part / whole;
  return (
    <span className={css.shareCell}>
      <span className={css.shareTrack}>
        <span className={css.share} style={{ width: `${Math.min(100, share * 100)}%` }} />
      </span>
      <span className="dim num">{percentText(share)}</span>
    </span>
  );
};
