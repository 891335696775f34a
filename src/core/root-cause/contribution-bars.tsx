import type { JSX, ReactNode } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { differenceText, percentText } from '../../lib/figures.ts';
import type { RootCause } from './contract.ts';
import css from './root-cause.module.css';

/** A part of a change. */
export type Part = {
  readonly id: string;
  readonly label: ReactNode;
  /** The calls behind it, in the filter language; null for the rest. */
  readonly filter: string | null;
  readonly contribution: number;
  readonly share: number | null;
  readonly note?: string;
};

/** Parts of a change as bars that add up to it. A part against the change begins at the same line in another colour. */
export const ContributionBars = ({
  parts,
  unit,
  label,
}: {
  parts: readonly Part[];
  unit: RootCause['unit'];
  label: string;
}): JSX.Element => {
  const most = Math.max(1e-12, ...parts.map(({ share }) => Math.abs(share ?? 0)));
  return (
    <ul className={css.bars} aria-label={label}>
      {parts.map((part) => (
        <li key={part.id} className={css.bar}>
          <span className="clip">
            {part.filter === null || part.filter === '' ? (
              part.label
            ) : (
              <ProjectLink page="events" search={{ filter: part.filter }}>
                {part.label}
              </ProjectLink>
            )}
          </span>
          <span className={css.track} aria-hidden="true">
            <span
              className={`${css.fill} ${(part.share ?? 0) < 0 ? css.against : ''}`}
              style={{ width: `${(100 * Math.abs(part.share ?? 0)) / most}%` }}
            />
          </span>
          <span className={`num ${css.figures}`}>
            {differenceText(part.contribution, unit)}{' '}
            <span className="dim">{part.share === null ? '' : shareText(part.share)}</span>
          </span>
          {part.note !== undefined && <small className="dim">{part.note}</small>}
        </li>
      ))}
    </ul>
  );
};

const shareText = (share: number): string => {
  const text = Math.abs(share) > 1 ? '>100%' : percentText(Math.abs(share));
  return share < 0 ? `−${text}` : text;
};
