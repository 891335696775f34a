import type { JSX } from 'react';
import { useZone } from '../../../dashboard/shell/scope/scope.ts';
import { ChartOrTable } from '../../../dashboard/ui/charts/time-chart.tsx';
import { timeText } from '../../../dashboard/ui/format.ts';
import { Kpis } from '../../../dashboard/ui/kpis.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { bytesText, countText, percentText } from '../../../lib/figures.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { System } from '../contract.ts';

/** A log that stays larger could not be moved into the file. */
const LARGE_LOG = 256 * 1024 * 1024;
const SOON_DAYS = 30;

/** The file, its disk, and when that is full at the growth of the last days. */
export function StorePanel({ system: { store, now } }: { system: System }): JSX.Element {
  const zone = useZone();
  const { file, log, free, disk, growth, fullInDays, sizes } = store;
  const dim = (text: string): JSX.Element => <span className="dim">{text}</span>;
  const points = sizes.map(({ at, bytes }) => ({ time: at, size: bytes }));
  return (
    <Panel title="Store" flush>
      <Kpis
        kpis={[
          { id: 'file', label: 'Database file', kind: 'bytes', value: file },
          {
            id: 'log',
            label: 'Write-ahead log',
            kind: 'bytes',
            value: log,
            note:
              log > LARGE_LOG ? (
                <span className="warn">something keeps an old state open</span>
              ) : (
                dim('is moved into the file')
              ),
          },
          {
            id: 'free',
            label: 'Free on the disk',
            kind: 'bytes',
            value: free,
            note: dim(`${percentText(disk === 0 ? 0 : free / disk)} of ${bytesText(disk)}`),
          },
          {
            id: 'growth',
            label: 'Growth per day',
            kind: 'bytes',
            value: Math.max(0, growth ?? 0),
            missing: growth === null,
            note: dim(
              growth === null
                ? 'known after six hours'
                : growth > 0
                  ? 'over the last days'
                  : 'it does not grow',
            ),
          },
          {
            id: 'full',
            label: 'Days until the disk is full',
            kind: 'count',
            value: fullInDays ?? 0,
            missing: fullInDays === null,
            note:
              fullInDays === null ? (
                dim(growth === null ? 'not known yet' : 'not in sight')
              ) : (
                <span className={fullInDays < SOON_DAYS ? 'bad' : 'dim'}>
                  on {timeText.date(Date.parse(now) + fullInDays * DAY_MS, zone)}
                </span>
              ),
          },
        ]}
      />
      {points.length > 2 && (
        <div className="chart-area">
          <ChartOrTable
            points={points}
            series={[{ name: 'size', label: 'File and log', color: 'var(--sl-chart-1)' }]}
            kind="bytes"
            bucket="hour"
            shape="lines"
            height={160}
            zone={zone}
            label="Size of the file and its log"
          >
            <span className="dim">Size by hour, {countText(points.length, 'measurement')}.</span>
          </ChartOrTable>
        </div>
      )}
    </Panel>
  );
}
