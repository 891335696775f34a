import type { JSX, ReactNode } from 'react';
import { Money } from '../../../core/pricing/money.tsx';
import { measureOf } from '../../../dashboard/shell/metrics/names.ts';
import { DataTable } from '../../../dashboard/ui/data-table.tsx';
import { FIGURES } from '../../../dashboard/ui/format.ts';
import { durationText, numberText, percentText } from '../../../lib/figures.ts';
import type { AgentVersion } from '../contract.ts';
import { type AboutVersions, RUN_FIGURES, useScoreNames, useVersionFigures } from './use-version-figures.ts';

type Props = {
  readonly older: AgentVersion;
  readonly newer: AgentVersion;
  readonly about: AboutVersions;
};
type Row = { readonly name: string; readonly of: (version: AgentVersion) => ReactNode };

const dash = <span className="dim">–</span>;
const known = (value: number | null, write: (value: number) => string): ReactNode =>
  value === null ? dash : write(value);
const runMoney = ({ runUnpriced, runModelCalls }: AgentVersion, usd: number | null): ReactNode =>
  usd === null ? dash : <Money usd={usd} unpriced={runUnpriced} calls={runModelCalls} />;
const share = (part: number, all: number): ReactNode => (all === 0 ? dash : percentText(part / all));

/** Two versions side by side: figures, scores, and what only one of them uses. */
export function CompareVersions({ older, newer, about }: Props): JSX.Element {
  const scores = useScoreNames(about.scope);
  const ofOlder = useVersionFigures(older, about, scores);
  const ofNewer = useVersionFigures(newer, about, scores);
  const measured = (measure: string, label: string): Row => ({
    name: label,
    of: (version) =>
      known((version === older ? ofOlder : ofNewer)(measure), FIGURES[measureOf(measure).kind].full),
  });
  return (
    <DataTable
      label="Comparison of two versions"
      rows={[
        ...COUNTED,
        ...RUN_FIGURES.map((measure) => measured(measure, measureOf(measure).label)),
        ...scores.map((measure) => measured(measure, `Score ${measure.slice('score:'.length)}`)),
        ...differencesOf(older, newer),
      ]}
      rowKey={({ name }) => name}
      columns={[
        { id: 'figure', header: 'Figure', cell: ({ name }) => name },
        { id: 'older', header: titleOf(older), wraps: true, cell: ({ of }) => of(older) },
        { id: 'newer', header: titleOf(newer), wraps: true, cell: ({ of }) => of(newer) },
      ]}
    />
  );
}

const titleOf = (version: AgentVersion): string =>
  `${version.version ?? `${version.release ?? 'No release'} ${version.id}`} from ${version.from}`;

const COUNTED: readonly Row[] = [
  { name: 'Runs', of: ({ runs }) => numberText(runs) },
  { name: 'Failed runs', of: ({ failedRuns, runs }) => share(failedRuns, runs) },
  { name: 'Cost per run', of: (row) => runMoney(row, row.costPerRun) },
  {
    name: 'Cost per successful run',
    of: (row) => runMoney(row, row.costPerSuccessfulRun),
  },
  { name: 'Mean latency of runs', of: ({ latencyAvg }) => known(latencyAvg, durationText) },
  { name: 'Model calls', of: ({ modelCalls }) => numberText(modelCalls) },
  { name: 'Failed model calls', of: ({ modelErrors, modelCalls }) => share(modelErrors, modelCalls) },
  { name: 'Tool calls', of: ({ toolCalls }) => numberText(toolCalls) },
  { name: 'Failed tool calls', of: ({ toolErrors, toolCalls }) => share(toolErrors, toolCalls) },
];

const SETS = [
  ['Models', 'models'],
  ['Tools', 'tools'],
  ['Prompts', 'prompts'],
] as const;

/** What a version uses; what the other does not is marked. */
const differencesOf = (older: AgentVersion, newer: AgentVersion): Row[] =>
  SETS.map(([name, set]) => ({
    name,
    of: (version) => {
      const other = new Set((version === older ? newer : older)[set]);
      if (version[set].length === 0) return dash;
      return version[set].map((one, place) => (
        <span key={one}>
          {place > 0 && ', '}
          {other.has(one) ? one : <strong>{one}</strong>}
        </span>
      ));
    },
  }));
