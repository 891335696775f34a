import { type JSX, useState } from 'react';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Notice } from '../../../dashboard/ui/states.tsx';
import type { AgentVersion } from '../contract.ts';
import { countColumn, failedColumn, runCostColumn, timeColumn } from './columns.tsx';
import { CompareVersions } from './compare-versions.tsx';
import type { AboutVersions } from './use-version-figures.ts';
import { daysText, VersionLine } from './version-line.tsx';

const keyOf = ({ id, from }: AgentVersion): string => `${id} ${from}`;

type Props = { readonly versions: readonly AgentVersion[]; readonly about: AboutVersions };

/** The versions of an agent on a line of time and as a table; two of them can be compared. */
export function VersionTable({ versions, about }: Props): JSX.Element {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (key: string): void =>
    setChosen((before) =>
      before.includes(key) ? before.filter((one) => one !== key) : [...before.slice(-1), key],
    );
  const [newer, older] = versions.filter((version) => chosen.includes(keyOf(version)));
  const columns: Column<AgentVersion>[] = [
    {
      id: 'chosen',
      header: 'Compare',
      cell: (version) => (
        <input
          type="checkbox"
          aria-label={`Compare version ${version.version ?? version.id}`}
          checked={chosen.includes(keyOf(version))}
          onChange={() => toggle(keyOf(version))}
        />
      ),
    },
    ...COLUMNS,
  ];
  return (
    <Panel title="Versions" detail="as declared, else by release and by what it uses" flush>
      {versions.length === 0 ? (
        <Notice title="No versions in this time" />
      ) : (
        <>
          <VersionLine versions={versions} />
          <DataTable label="Versions" columns={columns} rows={versions} rowKey={keyOf} />
          {newer !== undefined && older !== undefined && (
            <CompareVersions older={older} newer={newer} about={about} />
          )}
        </>
      )}
    </Panel>
  );
}

const COLUMNS: Column<AgentVersion>[] = [
  {
    id: 'version',
    header: 'Version',
    cell: ({ id, version, release }) =>
      version === null ? (
        <>
          {release ?? <span className="dim">no release</span>} <span className="dim num">{id}</span>
        </>
      ) : (
        <>
          {version} {release !== null && release !== version && <span className="dim">{release}</span>}
        </>
      ),
  },
  { id: 'days', header: 'Days, UTC', cell: daysText },
  {
    id: 'added',
    header: 'New',
    wraps: true,
    cell: ({ added }) => (added.length === 0 ? <span className="dim">–</span> : added.join(', ')),
  },
  countColumn('runs', 'Runs', ({ runs }) => runs),
  failedColumn(({ failedRuns, runs }) => ({ failed: failedRuns, all: runs }), 'Failed runs'),
  runCostColumn(),
  timeColumn('latency', 'Mean latency', ({ latencyAvg }) => latencyAvg),
  countColumn('modelCalls', 'Model calls', ({ modelCalls }) => modelCalls),
  countColumn('toolCalls', 'Tool calls', ({ toolCalls }) => toolCalls),
];
