import type { JSX } from 'react';
import { useZone } from '../../dashboard/shell/scope/scope.ts';
import { COLOURS } from '../../dashboard/ui/charts/colours.ts';
import { ChartOrTable } from '../../dashboard/ui/charts/time-chart.tsx';
import type { FigureKind } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import type { RootCause } from './contract.ts';

const KINDS: Readonly<Record<RootCause['unit'], FigureKind>> = {
  usd: 'money',
  ms: 'duration',
  fraction: 'fraction',
  calls: 'count',
  tokens: 'count',
  tokens_per_second: 'rate',
  score: 'count',
  scores: 'count',
};

/** The measure over time with the window that is explained and the deployments. */
export function MeasureChart({ doc, title }: { doc: RootCause; title: string }): JSX.Element | null {
  const zone = useZone();
  const { series, window, deployments, unit } = doc;
  if (series.points.every(({ value }) => value === null)) return null;
  const adds = unit === 'usd' || unit === 'calls' || unit === 'tokens' || unit === 'scores';
  return (
    <Panel title={title} flush>
      <div className="chart-area">
        <ChartOrTable
          points={series.points}
          series={[{ name: 'value', label: title, color: COLOURS[0] ?? '' }]}
          kind={KINDS[unit]}
          bucket={series.bucket}
          shape={adds ? 'bars' : 'lines'}
          height={180}
          zone={zone}
          ranges={[{ from: window.start, to: window.end, name: 'The explained window', tone: 'warn' }]}
          marks={deployments.map(({ at, release, environment }) => ({
            at,
            name: `Release ${release} in ${environment}`,
          }))}
          label={`${title} over time`}
        />
      </div>
    </Panel>
  );
}
