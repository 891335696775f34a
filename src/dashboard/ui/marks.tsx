import type { JSX } from 'react';
import { moneyText, numberText, percentText } from '../../lib/figures.ts';
import { NO_MODEL } from '../../lib/no-model.ts';
import type { Search } from '../search.ts';
import { ProjectLink } from './project-link.tsx';

type MoneyProps = {
  readonly usd: number;
  readonly unpriced: number;
  readonly calls: number;
  /** How the amounts of its column are written. */
  readonly write?: (usd: number) => string;
};

/** Dollars; calls without a price are said to be so, never shown as free: with them it is a least amount. */
export const Money = ({ usd, unpriced, calls, write = moneyText }: MoneyProps): JSX.Element => {
  if (unpriced === 0) return <>{write(usd)}</>;
  if (unpriced >= calls) return <span className="badge warn">unpriced</span>;
  return (
    <span title={`${numberText(unpriced)} of ${numberText(calls)} calls have no known price`}>
      <span className="warn">≥ </span>
      {write(usd)}
    </span>
  );
};

type ModelLinkProps = {
  readonly model: string;
  /** What narrows its events further. */
  readonly search?: Search;
  readonly className?: string;
  /** Shown in place of the model's name. */
  readonly children?: string;
};

/** The events of a model; of calls without one there is nothing to lead to. */
export const ModelLink = ({ model, search, className, children = model }: ModelLinkProps): JSX.Element =>
  model === NO_MODEL ? (
    <span className="dim">No model</span>
  ) : (
    <ProjectLink page="events" search={{ ...search, model }} className={className} title={children}>
      {children}
    </ProjectLink>
  );

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

/** How many calls are in no cost, with the way to them. */
export const UnpricedNote = ({ count, of }: { count: number; of: number }): JSX.Element | null =>
  count === 0 ? null : (
    <ProjectLink page="prices" className="badge warn">
      {numberText(count)} of {numberText(of)} calls unpriced
    </ProjectLink>
  );
