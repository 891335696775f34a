import type { JSX } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows } from '../../../dashboard/ui/states.tsx';
import { countText } from '../../../lib/figures.ts';
import type { checksEndpoint, Finding } from '../contract.ts';

const checksApi = endpointOf<typeof checksEndpoint>('GET /v1/system/checks');

/** Each look starts a program and reads the disk. */
const EVERY_MS = 60_000;

const LEVELS = {
  bad: { rank: 0, text: 'Problem', tone: 'bad' },
  warn: { rank: 1, text: 'Warning', tone: 'warn' },
  ok: { rank: 2, text: 'In order', tone: 'dim' },
} as const;

const columns: readonly Column<Finding>[] = [
  {
    id: 'level',
    header: 'State',
    value: ({ level }) => LEVELS[level].rank,
    cell: ({ level }) => <span className={LEVELS[level].tone}>{LEVELS[level].text}</span>,
  },
  { id: 'check', header: 'Check', value: ({ check }) => check, cell: ({ check }) => check },
  {
    id: 'text',
    header: 'Finding, and how to fix it',
    wraps: true,
    cell: ({ text, fix }) => (
      <>
        {text}
        {fix !== null && (
          <>
            <br />
            <span className="dim">{fix}</span>
          </>
        )}
      </>
    ),
  },
];

/** What `spanledger doctor` finds on the running server. */
export function ChecksPanel(): JSX.Element {
  const checks = useApi(checksApi, {}, { every: EVERY_MS });
  const findings = checks.data?.findings ?? [];
  const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
  return (
    <Panel
      title="Checks"
      detail={
        checks.data &&
        `${countText(count('bad'), 'problem')}, ${countText(count('warn'), 'warning')}, each minute`
      }
      flush
    >
      <Loaded of={checks} loading={<LoadingRows rows={8} />}>
        {(data) => (
          <DataTable
            label="Checks"
            columns={columns}
            rows={data.findings}
            rowKey={({ check, text }) => `${check} ${text}`}
            sort={{ id: 'level', desc: false }}
          />
        )}
      </Loaded>
    </Panel>
  );
}
