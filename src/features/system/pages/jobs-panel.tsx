import type { JSX } from 'react';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { agoText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { countText, durationText } from '../../../lib/figures.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { SystemJob } from '../contract.ts';

const TONES = { ok: 'good', failed: 'bad', interrupted: 'warn', running: 'dim' } as const;

/** `in 5 min`. */
function aheadText(at: string, now: number): string {
  const minutes = Math.max(0, Math.round((Date.parse(at) - now) / MINUTE_MS));
  if (minutes === 0) return 'now';
  return minutes < 120 ? `in ${minutes} min` : `in ${Math.round(minutes / 60)} h`;
}

const columnsAt = (now: number): readonly Column<SystemJob>[] => [
  {
    id: 'name',
    header: 'Job',
    value: ({ name }) => name,
    cell: ({ name, summary }) => <span title={summary}>{name}</span>,
  },
  {
    id: 'status',
    header: 'Last run',
    value: ({ lastRun }) => lastRun?.status ?? '',
    cell: ({ lastRun }) =>
      lastRun === null ? (
        <span className="dim">none yet</span>
      ) : (
        <span className={TONES[lastRun.status]}>{lastRun.status}</span>
      ),
  },
  {
    id: 'at',
    header: 'Started',
    value: ({ lastRun }) => lastRun?.startedAt ?? '',
    cell: ({ lastRun }) => (lastRun === null ? '–' : agoText(lastRun.startedAt, now)),
  },
  {
    id: 'ms',
    header: 'Took',
    align: 'right',
    value: ({ lastRun }) => lastRun?.ms ?? -1,
    cell: ({ lastRun }) => (lastRun?.ms == null ? '–' : durationText(lastRun.ms)),
  },
  {
    id: 'next',
    header: 'Next run',
    value: ({ nextRun }) => nextRun,
    cell: ({ nextRun, schedule }) => <span title={schedule}>{aheadText(nextRun, now)}</span>,
  },
  {
    id: 'text',
    header: 'What it does, or why it failed',
    wraps: true,
    cell: ({ lastRun, summary }) =>
      lastRun?.error == null ? (
        <span className="dim">{summary}</span>
      ) : (
        <span className="bad">{lastRun.error}</span>
      ),
  },
];

/** Scheduled work with its last run; jobs that failed come first. */
export function JobsPanel({ jobs, now }: { jobs: readonly SystemJob[]; now: string }): JSX.Element {
  const failed = jobs.filter(({ lastRun }) => lastRun?.status === 'failed');
  const rows = [...failed, ...jobs.filter((job) => !failed.includes(job))];
  return (
    <Panel
      title="Jobs"
      detail={`${countText(jobs.length, 'job')}, ${failed.length === 0 ? 'none failed' : `${failed.length} failed`}`}
      flush
    >
      <DataTable label="Jobs" columns={columnsAt(Date.parse(now))} rows={rows} rowKey={({ name }) => name} />
    </Panel>
  );
}
