import { Money } from '../../../core/pricing/money.tsx';
import type { Column } from '../../../dashboard/ui/data-table.tsx';
import { durationText, numberText, percentText } from '../../../lib/figures.ts';
import type { AgentVersion } from '../contract.ts';

const dash = <span className="dim">–</span>;

/** A column of a count. */
export const countColumn = <R,>(id: string, header: string, of: (row: R) => number): Column<R> => ({
  id,
  header,
  align: 'right',
  value: of,
  csv: { header: id, value: of },
  cell: (row) => numberText(of(row)),
});

/** A column of milliseconds, unknown without calls that have a latency. */
export const timeColumn = <R,>(id: string, header: string, of: (row: R) => number | null): Column<R> => ({
  id,
  header,
  align: 'right',
  value: (row) => of(row) ?? -1,
  csv: { header: `${id}_ms`, value: of },
  cell: (row) => {
    const ms = of(row);
    return ms === null ? dash : durationText(ms);
  },
});

export type RunCost = Pick<AgentVersion, 'costPerRun' | 'runUnpriced' | 'runModelCalls'>;

/** Whether none of the calls of models in an agent's runs has a price. */
const isWithoutPrice = ({ runUnpriced, runModelCalls }: RunCost): boolean =>
  runUnpriced > 0 && runUnpriced >= runModelCalls;

/** The column of the cost of a run, unknown without runs. */
export const runCostColumn = <R extends RunCost>(): Column<R> => ({
  id: 'costPerRun',
  header: 'Cost per run',
  align: 'right',
  value: ({ costPerRun }) => costPerRun ?? -1,
  csv: [
    { header: 'costPerRun_usd', value: (row) => (isWithoutPrice(row) ? null : row.costPerRun) },
    { header: 'unpriced_calls_in_runs', value: ({ runUnpriced }) => runUnpriced },
  ],
  cell: ({ costPerRun, runUnpriced, runModelCalls }) =>
    costPerRun === null ? dash : <Money usd={costPerRun} unpriced={runUnpriced} calls={runModelCalls} />,
});

/** A column of the share of calls that failed. */
export const failedColumn = <R,>(
  of: (row: R) => { readonly failed: number; readonly all: number },
  header = 'Failed',
): Column<R> => {
  const share = (row: R): number => {
    const { failed, all } = of(row);
    return all === 0 ? -1 : failed / all;
  };
  return {
    id: 'failed',
    header,
    align: 'right',
    value: share,
    csv: { header: 'failed', value: (row) => of(row).failed },
    cell: (row) =>
      of(row).all === 0 ? (
        dash
      ) : of(row).failed === 0 ? (
        <span className="dim">0.0%</span>
      ) : (
        <span title={`${numberText(of(row).failed)} of ${numberText(of(row).all)}`}>
          {percentText(share(row))}
        </span>
      ),
  };
};
