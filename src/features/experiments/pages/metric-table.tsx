import type { JSX } from 'react';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import type { ComparedMetric, ExperimentDetail, Metric } from '../contract.ts';
import { metricText } from './metric-text.ts';

type Row = Metric & { readonly compared: ComparedMetric | undefined };

/** Means with their intervals, beside the baseline's. */
export function MetricTable({ experiment }: { readonly experiment: ExperimentDetail }): JSX.Element {
  const { metrics, comparison } = experiment;
  const rows = metrics.map((metric) => ({
    ...metric,
    compared: comparison?.metrics.find(({ name, kind }) => name === metric.name && kind === metric.kind),
  }));
  if (rows.length === 0) return <Notice title="No results yet" />;
  const columns = comparison === null ? OWN : [...OWN, ...COMPARED];
  return (
    <DataTable
      label="Figures of the experiment"
      phone={['name', 'mean', 'verdict']}
      columns={columns}
      rows={rows}
      rowKey={({ name, kind }) => `${kind} ${name}`}
    />
  );
}

const OWN = withCells<Row>([
  { id: 'name', header: 'Figure', wide: true, value: ({ name }) => name },
  {
    id: 'mean',
    header: 'Mean',
    align: 'right',
    value: ({ mean }) => mean,
    cell: ({ kind, mean }) => metricText(kind, mean),
  },
  {
    id: 'interval',
    header: '95% interval',
    align: 'right',
    value: ({ low }) => low,
    cell: ({ kind, low, high }) => `${metricText(kind, low)} to ${metricText(kind, high)}`,
  },
  { id: 'n', header: 'Items', align: 'right', value: ({ n }) => n },
]);

const VERDICTS: Readonly<Record<ComparedMetric['verdict'], string>> = {
  better: 'Better',
  worse: 'Worse',
  different: 'Different',
  unclear: 'No clear difference',
};

const COMPARED = withCells<Row>([
  {
    id: 'baseline',
    header: 'Baseline',
    align: 'right',
    value: ({ compared }) => compared?.baseline ?? -1,
    cell: ({ kind, compared }) => (compared?.baseline == null ? '–' : metricText(kind, compared.baseline)),
  },
  {
    id: 'won',
    header: 'Won / lost / tied',
    align: 'right',
    value: ({ compared }) => compared?.wins ?? -1,
    cell: ({ compared }) =>
      compared === undefined ? '–' : `${compared.wins} / ${compared.losses} / ${compared.ties}`,
  },
  {
    id: 'p',
    header: 'p',
    align: 'right',
    value: ({ compared }) => compared?.p ?? 1,
    cell: ({ compared }) =>
      compared === undefined ? '–' : compared.p < 0.001 ? '< 0.001' : compared.p.toFixed(3),
  },
  {
    id: 'verdict',
    header: 'Verdict',
    value: ({ compared }) => (compared === undefined ? '–' : VERDICTS[compared.verdict]),
  },
]);
