import { NativeSelect } from '@mantine/core';
import { type JSX, useState } from 'react';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { withCells } from '../../../dashboard/ui/table/with-cells.ts';
import { moneyText } from '../../../lib/figures.ts';
import { frontier } from '../../../lib/stats/frontier.ts';
import type { Experiment, Metric } from '../contract.ts';
import { metricText } from './metric-text.ts';
import css from './quality-cost.module.css';

type Point = {
  readonly id: string;
  readonly name: string;
  readonly quality: Metric;
  readonly cost: number;
  readonly isBest: boolean;
};

type Compared = Pick<Experiment, 'id' | 'name' | 'metrics'>;
type Props = {
  readonly id: string;
  /** Experiments on the same dataset, this one among them. */
  readonly experiments: readonly Compared[];
};

/** Quality against cost of experiments on one dataset: which are the best at their cost. Nothing below two of them. */
export function QualityCost({ id, experiments }: Props): JSX.Element | null {
  const [chosen, setChosen] = useState<string | null>(null);
  const own = experiments.find((one) => one.id === id)?.metrics ?? [];
  const names = own.filter(({ kind, direction }) => kind === 'score' && direction !== 'none');
  const name = names.find((one) => one.name === chosen)?.name ?? names[0]?.name;
  if (name === undefined) return null;
  const points = pointsOf(experiments, name);
  if (points.length < 2 || !points.some((point) => point.id === id)) return null;
  return (
    <Panel
      title="Quality and cost"
      detail={`${points.filter(({ isBest }) => isBest).length} of ${points.length} are the best at their cost`}
      flush
      actions={
        names.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label="Quality"
            data={names.map((one) => one.name)}
            value={name}
            onChange={({ currentTarget: { value } }) => setChosen(value)}
          />
        )
      }
    >
      <Chart points={points} id={id} name={name} />
      <DataTable
        label="Quality and cost"
        columns={columnsOf(name)}
        rows={points}
        rowKey={(point) => point.id}
        sort={{ id: 'cost', desc: false }}
      />
    </Panel>
  );
}

function pointsOf(experiments: readonly Compared[], name: string): Point[] {
  const found = experiments.flatMap((one) => {
    const quality = one.metrics.find((metric) => metric.kind === 'score' && metric.name === name);
    const cost = one.metrics.find(({ kind }) => kind === 'cost');
    return quality === undefined || cost === undefined
      ? []
      : [{ id: one.id, name: one.name, quality, cost: cost.mean }];
  });
  const best = new Set(
    frontier(
      found.map(({ cost, quality: { mean, direction } }) => ({
        cost,
        value: direction === 'lower' ? -mean : mean,
      })),
    ),
  );
  return found.map((point, place) => ({ ...point, isBest: best.has(place) }));
}

const columnsOf = (name: string) =>
  withCells<Point>([
    {
      id: 'name',
      header: 'Experiment',
      wide: true,
      value: (point) => point.name,
      cell: (point) => (
        <>
          <ProjectLink
            page="experiments/$experimentId"
            params={{ experimentId: point.id }}
            className="row-link"
          >
            {point.name}
          </ProjectLink>
          {point.isBest && <span className="badge good badge-after">best at its cost</span>}
        </>
      ),
    },
    {
      id: 'quality',
      header: name,
      align: 'right',
      value: ({ quality }) => quality.mean,
      cell: ({ quality }) => (
        <span
          title={`95 % interval: ${metricText(quality.kind, quality.low)} to ${metricText(quality.kind, quality.high)}`}
        >
          {metricText(quality.kind, quality.mean)}
        </span>
      ),
    },
    {
      id: 'cost',
      header: 'Cost per run',
      align: 'right',
      value: ({ cost }) => cost,
      cell: ({ cost }) => moneyText(cost),
    },
  ]);

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [720, 240, 56, 34, 14] as const;

function Chart({
  points,
  id,
  name,
}: {
  readonly points: readonly Point[];
  readonly id: string;
  readonly name: string;
}): JSX.Element {
  const most = Math.max(...points.map(({ cost }) => cost)) * 1.15 || 1;
  const low = Math.min(...points.map(({ quality }) => quality.low));
  const high = Math.max(...points.map(({ quality }) => quality.high));
  const room = (high - low || 1) * 0.1;
  const x = (cost: number): number => LEFT + (cost / most) * (WIDTH - LEFT - 20);
  const y = (value: number): number =>
    TOP + ((high + room - value) / (high - low + 2 * room)) * (HEIGHT - TOP - BOTTOM);
  const best = points.filter(({ isBest }) => isBest).toSorted((a, b) => a.cost - b.cost);
  const kind = points[0]?.quality.kind ?? 'score';
  return (
    <svg
      className={css.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${name} against cost per run; the table below has the values`}
    >
      <line className={css.axis} x1={LEFT} y1={HEIGHT - BOTTOM} x2={WIDTH - 10} y2={HEIGHT - BOTTOM} />
      <line className={css.axis} x1={LEFT} y1={TOP} x2={LEFT} y2={HEIGHT - BOTTOM} />
      <text className={css.text} x={LEFT - 6} y={y(high) + 4} textAnchor="end">
        {metricText(kind, high)}
      </text>
      <text className={css.text} x={LEFT - 6} y={y(low) + 4} textAnchor="end">
        {metricText(kind, low)}
      </text>
      <text className={css.text} x={LEFT} y={HEIGHT - 14}>
        {moneyText(0)}
      </text>
      <text className={css.text} x={WIDTH - 10} y={HEIGHT - 14} textAnchor="end">
        {moneyText(most)} per run
      </text>
      <polyline
        className={css.line}
        points={best.map(({ cost, quality }) => `${x(cost)},${y(quality.mean)}`).join(' ')}
      />
      {points.map((point) => {
        const { cost, quality, isBest } = point;
        const isRight = x(cost) > WIDTH * 0.75;
        return (
          <g key={point.id}>
            <line className={css.bar} x1={x(cost)} x2={x(cost)} y1={y(quality.low)} y2={y(quality.high)} />
            <circle
              className={`${isBest ? css.best : css.point} ${point.id === id ? css.this : ''}`}
              cx={x(cost)}
              cy={y(quality.mean)}
              r={5}
            />
            {points.length <= 12 && (
              <text
                className={css.name}
                x={x(cost) + (isRight ? -9 : 9)}
                y={y(quality.mean) + 4}
                textAnchor={isRight ? 'end' : 'start'}
              >
                {point.name.length > 28 ? `${point.name.slice(0, 27)}…` : point.name}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
