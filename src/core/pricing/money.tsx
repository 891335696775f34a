import type { JSX, ReactNode } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import type { Column } from '../../dashboard/ui/data-table.tsx';
import { type CostMark, costMark, unpricedText } from '../../lib/billing/cost-mark.ts';
import { moneyText, numberText } from '../../lib/figures.ts';

type MoneyProps = {
  readonly usd: number;
  readonly unpriced: number;
  readonly calls: number;
  /** How the amounts of its column are written. */
  readonly write?: (usd: number) => string;
};

/** Dollars. Calls without a price are marked, never shown as $0; with some of them the amount is a minimum. */
export const Money = ({ usd, unpriced, calls, write = moneyText }: MoneyProps): JSX.Element => (
  <MarkedCost
    mark={costMark({ unpriced, calls })}
    title={`${numberText(unpriced)} of ${numberText(calls)} calls have no known price`}
  >
    {write(usd)}
  </MarkedCost>
);

type MarkedProps = { readonly mark: CostMark; readonly title?: string; readonly children: ReactNode };

/** An amount of which a part or nothing may be known. */
export const MarkedCost = ({
  mark,
  title = 'Some of the calls have no known price',
  children,
}: MarkedProps): JSX.Element => {
  if (mark === 'known') return <>{children}</>;
  if (mark === 'unpriced') return <span className="badge warn">unpriced</span>;
  return (
    <span title={title}>
      <span className="warn">≥ </span>
      {children}
    </span>
  );
};

type CallCost = Pick<MoneyProps, 'usd' | 'unpriced' | 'calls'>;

/** The column of what calls cost; without calls there is no amount. `sort`: the server's order by it. */
export const costColumn = <R,>(costOf: (row: R) => CallCost, sort?: string): Column<R> => ({
  id: 'cost',
  header: 'Cost',
  align: 'right',
  ...(sort !== undefined && { sort }),
  amount: (row) => costOf(row).usd,
  csv: [
    {
      header: 'cost_usd',
      value: (row) => {
        const { usd, unpriced, calls } = costOf(row);
        return unpriced >= calls ? null : usd;
      },
    },
    { header: 'unpriced_calls', value: (row) => costOf(row).unpriced },
  ],
  cell: (row, write) => {
    const cost = costOf(row);
    return cost.calls === 0 ? <span className="dim">–</span> : <Money {...cost} write={write} />;
  },
});

/** The number of calls without a price, with a link to the prices. */
export const UnpricedNote = ({ count, of }: { count: number; of: number }): JSX.Element | null =>
  count === 0 ? null : (
    <ProjectLink page="prices" className="badge warn">
      {unpricedText({ unpriced: count, calls: of })}
    </ProjectLink>
  );
