import type { JSX } from 'react';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { SparkBars } from '../../../dashboard/ui/charts/spark-bars.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { durationText, numberText, percentText } from '../../../lib/figures.ts';
import { costColumn } from '../../pricing/money.tsx';
import type { PromptsPage } from '../contract.ts';
import { versionsText } from './label-text.ts';

type Listed = PromptsPage['prompts'][number];

/** Prompts with their labels and figures. */
export function PromptTable({
  prompts,
  folder,
}: {
  readonly prompts: readonly Listed[];
  readonly folder: string;
}): JSX.Element {
  const columns = columnsOf(useZone(), folder);
  return (
    <DataTable
      label="Prompts"
      phone={['name', 'calls', 'cost', 'errors']}
      columns={columns}
      rows={prompts}
      rowKey={({ name }) => name}
    />
  );
}

const figure = (
  id: string,
  header: string,
  of: (figures: NonNullable<Listed['figures']>) => number | null,
  write: (value: number) => string,
): Column<Listed> => {
  const value = ({ figures }: Listed): number | null => (figures === undefined ? null : of(figures));
  return {
    id,
    header,
    align: 'right',
    value: (row) => value(row) ?? -1,
    cell: (row) => {
      const found = value(row);
      return found === null ? <span className="dim">–</span> : write(found);
    },
  };
};

const columnsOf = (zone: Zone, folder: string): Column<Listed>[] => [
  {
    id: 'name',
    header: 'Prompt',
    wide: true,
    value: ({ name }) => name,
    cell: ({ name, description }) => (
      <>
        <ProjectLink
          page="prompts/$promptName"
          params={{ promptName: name }}
          className="row-link"
          title={name}
        >
          {folder === '' ? name : name.slice(folder.length + 1)}
        </ProjectLink>
        {description !== '' && (
          <>
            <br />
            <span className="dim clip">{description}</span>
          </>
        )}
      </>
    ),
  },
  {
    id: 'labels',
    header: 'Labels',
    wraps: true,
    value: ({ labels }) => labels.length,
    cell: ({ labels }) =>
      labels.length === 0 ? (
        <span className="dim">none</span>
      ) : (
        labels.map(({ label, versions }) => `${label} ${versionsText(versions)}`).join(', ')
      ),
  },
  {
    id: 'latest',
    header: 'Latest',
    align: 'right',
    value: ({ latestVersion }) => latestVersion ?? 0,
    cell: ({ latestVersion }) => latestVersion ?? '–',
  },
  figure('calls', 'Calls', ({ calls }) => calls, numberText),
  {
    id: 'trend',
    header: 'By day',
    cell: ({ figures }) =>
      figures === undefined ? null : <SparkBars values={figures.series} tone="neutral" />,
  },
  costColumn<Listed>(({ figures }) => ({
    usd: figures?.cost ?? 0,
    unpriced: figures?.unpriced ?? 0,
    calls: figures?.calls ?? 0,
  })),
  figure('p95', 'p95', ({ latencyP95 }) => latencyP95, durationText),
  figure('errors', 'Errors', ({ errorRate }) => errorRate, percentText),
  {
    id: 'updated',
    header: 'Changed',
    value: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => timeText.minute(updatedAt, zone),
  },
];
