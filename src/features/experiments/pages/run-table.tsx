import { NativeSelect } from '@mantine/core';
import { type JSX, useEffect } from 'react';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch } from '../../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Notice } from '../../../dashboard/ui/states.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { durationText, moneyText } from '../../../lib/figures.ts';
import type { ExperimentDetail, ExperimentRun } from '../contract.ts';
import { isRunning, LIVE_MS, listRunsApi } from './experiments-api.ts';

const MOST_SHOWN = 300;
const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === null ? '–' : JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
};

const scoreId = (name: string): string => `score ${name}`;

/** The results item by item, beside those of the baseline. */
export function RunTable({ experiment }: { readonly experiment: ExperimentDetail }): JSX.Element {
  const { id, comparison, metrics, evaluators } = experiment;
  const projectId = useProjectId();
  const { search } = useScope('experiments/$experimentId');
  const setSearch = useSetSearch<'experiments/$experimentId'>();
  const scores = metrics.filter(({ kind }) => kind === 'score').map(({ name }) => name);
  // One that failed on every output has no mean.
  const columns = [...new Set([...scores, ...evaluators.map(({ scoreName }) => scoreName)])];
  const compared = comparison === null ? [] : scores;
  const choices = [
    { value: '', label: 'All results' },
    { value: 'failed', label: 'Failed' },
    ...compared.flatMap((name) => [
      { value: `worse ${name}`, label: `Worse ${name}` },
      { value: `better ${name}`, label: `Better ${name}` },
    ]),
  ];
  const { only, metric } = search;
  const isKnown = only === 'failed' || (metric !== undefined && compared.includes(metric));
  const narrowed = isKnown ? { only: only as 'failed' | 'better' | 'worse', metric } : {};
  const query = { projectId, baselineId: search.baseline, ...narrowed };
  const isActive = isRunning(experiment);
  const pages = usePages(listRunsApi, { params: { id }, query }, { every: isActive && LIVE_MS });
  const { refetch } = pages;
  useEffect(() => {
    // What ended since the last look.
    if (!isActive) void refetch();
  }, [isActive, refetch]);
  const choose = (
    <NativeSelect
      size="xs"
      aria-label="Which results"
      data={choices}
      value={isKnown ? [only, metric].filter((part) => part !== undefined).join(' ') : ''}
      onChange={({ currentTarget: { value } }) => {
        const [which, ...name] = value.split(' ');
        setSearch({ only: which || undefined, metric: name.join(' ') || undefined });
      }}
    />
  );
  return (
    <Panel title="Results" actions={choose} flush>
      <Paged
        pages={pages}
        rowsOf={({ items }) => items}
        more="More results"
        empty={<Notice title={isKnown ? 'No such result' : 'No results yet'} />}
      >
        {(items) => (
          <DataTable
            label="Results"
            phone={['item', 'output', ...columns.map(scoreId)]}
            columns={columnsOf(columns, comparison !== null)}
            rows={items}
            rowKey={({ no, repetition }) => `${no}.${repetition}`}
          />
        )}
      </Paged>
    </Panel>
  );
}

const scoreText = (run: Pick<ExperimentRun, 'scores'> | null, name: string): string => {
  const found = run?.scores.find((one) => one.name === name);
  if (found === undefined) return '–';
  const { value, error } = found;
  if (value === null) return error === null ? 'none' : 'failed';
  return typeof value === 'string' ? value : String(Number(value.toFixed(3)));
};

const columnsOf = (scores: readonly string[], isCompared: boolean): Column<ExperimentRun>[] =>
  withCells([
    {
      id: 'item',
      header: 'Item',
      value: ({ itemId, repetition }) => (repetition > 1 ? `${itemId} (${repetition})` : itemId),
    },
    { id: 'input', header: 'Input', wraps: true, wide: true, value: ({ input }) => short(input) },
    { id: 'expected', header: 'Expected', wraps: true, value: ({ expectedOutput }) => short(expectedOutput) },
    {
      id: 'output',
      header: 'Output',
      wraps: true,
      wide: true,
      value: ({ output, error }) => error ?? short(output),
      cell: ({ output, error, traceId }) => (
        <>
          {error ?? short(output)}{' '}
          {traceId !== null && (
            <ProjectLink page="traces/$traceId" params={{ traceId }}>
              Trace
            </ProjectLink>
          )}
        </>
      ),
    },
    ...(isCompared
      ? [
          {
            id: 'before',
            header: 'Output of the baseline',
            wraps: true,
            value: ({ baseline }: ExperimentRun) => baseline?.error ?? short(baseline?.output ?? null),
          } as const,
        ]
      : []),
    ...scores.map(
      (name): Column<ExperimentRun> => ({
        id: scoreId(name),
        header: name,
        align: 'right',
        value: (run) =>
          isCompared ? `${scoreText(run.baseline, name)} → ${scoreText(run, name)}` : scoreText(run, name),
        cell: (run) => {
          const error = run.scores.find((score) => score.name === name)?.error;
          const own = error == null ? scoreText(run, name) : <span title={error}>failed</span>;
          return isCompared ? (
            <>
              {scoreText(run.baseline, name)} → {own}
            </>
          ) : (
            own
          );
        },
      }),
    ),
    {
      id: 'cost',
      header: 'Cost',
      align: 'right',
      value: ({ costUsd }) => costUsd ?? -1,
      cell: ({ costUsd }) => (costUsd === null ? '–' : moneyText(costUsd)),
    },
    {
      id: 'latency',
      header: 'Latency',
      align: 'right',
      value: ({ latencyMs }) => latencyMs ?? -1,
      cell: ({ latencyMs }) => (latencyMs === null ? '–' : durationText(latencyMs)),
    },
  ]);
