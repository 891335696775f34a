import type { ScenarioResult, SimulationRunDetail } from '../../src/features/simulations/runs/contract.ts';
import { durationText, moneyText } from '../../src/lib/figures.ts';
import type { BaseContext } from '../command.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const changeText = ({ change, isFlaky }: ScenarioResult): string =>
  [...(isFlaky ? ['flaky'] : []), ...(change === null || change === 'same' ? [] : [change])].join(', ');

const columns: readonly ListColumn<ScenarioResult>[] = [
  { header: 'scenario', value: ({ scenario }) => scenario },
  { header: 'passed', value: ({ passed, failed }) => `${passed}/${passed + failed}`, fixed: true },
  {
    header: '95 % interval',
    value: ({ passRate }) =>
      passRate === null ? '' : `${percent(passRate.low)} to ${percent(passRate.high)}`,
    rank: 2,
  },
  { header: 'change', value: changeText, rank: 1 },
  {
    header: 'latency',
    value: ({ latencyMs }) => (latencyMs === null ? '' : durationText(latencyMs)),
    rank: 3,
  },
  { header: 'first failure', value: ({ failure }) => failure ?? '' },
];

/** The scenarios of a run, and its pass rate. */
export function printRun({ output }: BaseContext, run: SimulationRunDetail): void {
  output.table(columnsThatFit(columns, run.scenarios, output.columns), run.scenarios);
  const { passRate, counts, costUsd, id, seed } = run;
  const rate =
    passRate === null
      ? 'no pass rate'
      : `${percent(passRate.mean)} passed (${percent(passRate.low)} to ${percent(passRate.high)})`;
  const lost = counts.lost === 0 ? '' : `, ${counts.lost} lost`;
  output.info(
    `${run.simulationName} (${id}, seed ${seed}): ${rate}, ${counts.failed} failed${lost}, ${moneyText(costUsd)}`,
  );
}
