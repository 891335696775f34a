import type { ExperimentDetail, Metric } from '../../src/features/experiments/contract.ts';
import { countText, durationText, moneyText } from '../../src/lib/figures.ts';
import type { BaseContext } from '../command.ts';
import { columnsThatFit, type ListColumn } from '../list/columns.ts';

/** A value of a metric as people read it. */
export const metricText = (kind: Metric['kind'], value: number): string => {
  if (kind === 'cost') return moneyText(value);
  if (kind === 'latency') return durationText(value);
  return kind === 'failures' ? `${(value * 100).toFixed(1)} %` : value.toFixed(3);
};

/** The means of an experiment beside those of its baseline. */
export function printExperiment(
  { output }: BaseContext,
  { metrics, comparison, ...experiment }: ExperimentDetail,
): void {
  const rows = metrics.map((metric) => ({
    ...metric,
    compared: comparison?.metrics.find(({ name, kind }) => name === metric.name && kind === metric.kind),
  }));
  type Row = (typeof rows)[number];
  const columns: readonly ListColumn<Row>[] = [
    { header: 'metric', value: ({ name }) => name, fixed: true },
    { header: 'mean', value: ({ kind, mean }) => metricText(kind, mean) },
    {
      header: '95 % interval',
      value: ({ kind, low, high }) => `${metricText(kind, low)} to ${metricText(kind, high)}`,
    },
    ...(comparison === null
      ? []
      : [
          {
            header: 'baseline',
            value: ({ kind, compared }: Row) =>
              compared?.baseline == null ? '' : metricText(kind, compared.baseline),
          },
          {
            header: 'won/lost/tied',
            rank: 2,
            value: ({ compared }: Row) =>
              compared === undefined ? '' : `${compared.wins}/${compared.losses}/${compared.ties}`,
          },
          { header: 'p', rank: 1, value: ({ compared }: Row) => compared?.p.toFixed(3) ?? '' },
          { header: 'verdict', value: ({ compared }: Row) => compared?.verdict ?? '' },
        ]),
  ];
  output.table(columnsThatFit(columns, rows, output.columns), rows);
  const { done, failed } = experiment.runs;
  const { name, id, costUsd, unpriced, failedScores } = experiment;
  output.info(
    `${name} (${id}): ${done} done, ${failed} failed, ${unpriced > 0 ? '≥ ' : ''}${moneyText(costUsd)}`,
  );
  if (unpriced > 0) output.warn(`${countText(unpriced, 'call')} without a known price are in no cost`);
  if (failedScores > 0) output.warn(`${countText(failedScores, 'score')} could not be given`);
}
