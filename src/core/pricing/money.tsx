import type { JSX } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { moneyText, numberText } from '../../lib/figures.ts';

type MoneyProps = {
  readonly usd: number;
  readonly unpriced: number;
  readonly calls: number;
  /** How the amounts of its column are written. */
  readonly write?: (usd: number) => string;
};

/** Dollars. Calls without a price are marked, never shown as $0; with some of them the amount is a minimum. */
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

/** The number of calls without a price, with a link to the prices. */
export const UnpricedNote = ({ count, of }: { count: number; of: number }): JSX.Element | null =>
  count === 0 ? null : (
    <ProjectLink page="prices" className="badge warn">
      {numberText(count)} of {numberText(of)} calls unpriced
    </ProjectLink>
  );
