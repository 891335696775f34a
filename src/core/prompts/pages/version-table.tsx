import { type JSX, useMemo } from 'react';
import { useApi } from '../../../dashboard/shell/api.ts';
import { Paged } from '../../../dashboard/shell/paged.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { usePages } from '../../../dashboard/shell/use-pages.ts';
import { COLOURS } from '../../../dashboard/ui/charts/colours.ts';
import { ChartOrTable } from '../../../dashboard/ui/charts/time-chart.tsx';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Notice } from '../../../dashboard/ui/states.tsx';
import {
  changeOf,
  countText,
  durationText,
  moneyText,
  numberText,
  percentText,
  pointsOf,
} from '../../../lib/figures.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { meanText } from '../../../lib/scores/mean-text.ts';
import { DeletedNote } from '../../events/widgets/deleted-note.tsx';
import { MarkedCost } from '../../pricing/money.tsx';
import type { PromptDetail, VersionRow } from '../contract.ts';
import type { PromptFigures, VersionFigures } from '../figures/contract.ts';
import { versionsText } from './label-text.ts';
import { figuresApi, historyApi, listVersionsApi } from './prompts-api.ts';

const MAX_DRAWN = 6;

type Row = VersionRow & {
  readonly figures: VersionFigures | undefined;
  readonly before: VersionFigures | undefined;
};
type Props = { readonly prompt: PromptDetail; readonly shown: number | null };

/** The versions with their figures beside those of the version before, and their calls over time. */
export function VersionTable({ prompt: { name }, shown }: Props): JSX.Element {
  const zone = useZone();
  const projectId = useProjectId();
  const { params, every } = useScope('prompts/$promptName');
  const { start, end, environment } = params;
  const query = { projectId, start, end, environment };
  const figures = useApi(figuresApi, { params: { name }, query }, { every }).data;
  const pages = usePages(listVersionsApi, { params: { name }, query: { projectId } });
  const byVersion = useMemo(() => new Map(figures?.versions.map((one) => [one.version, one])), [figures]);
  const rowOf = (row: VersionRow): Row => {
    const own = byVersion.get(String(row.version));
    return { ...row, figures: own, before: byVersion.get(own?.previous ?? '') };
  };
  return (
    <>
      <DeletedNote before={figures?.deletedBefore} of="The figures of versions" />
      {figures !== undefined && figures.versions.length > 0 && (
        <CallsChart name={name} figures={figures} zone={zone} />
      )}
      <Paged
        pages={pages}
        rowsOf={({ versions }) => versions}
        more="Older versions"
        empty={<Notice title="All versions were deleted" />}
      >
        {(versions) => (
          <DataTable
            label="Versions"
            phone={['version', 'calls', 'cost']}
            columns={columnsOf({ name, zone, shown })}
            rows={versions.map(rowOf)}
            rowKey={({ version }) => String(version)}
          />
        )}
      </Paged>
    </>
  );
}

/** Calls of the newest versions over time, with the changes of labels. */
function CallsChart({
  name,
  figures,
  zone,
}: {
  name: string;
  figures: PromptFigures;
  zone: Zone;
}): JSX.Element | null {
  const projectId = useProjectId();
  const { start, end, steps, bucket, versions } = figures;
  const history = useApi(historyApi, { params: { name }, query: { projectId, start, end, limit: 200 } });
  if (bucket === null) return null;
  const drawn = versions.slice(0, MAX_DRAWN);
  const points = steps.map((step, i) => ({
    time: step.start,
    ...Object.fromEntries(drawn.map(({ version, series }) => [`v${version}`, series[i] ?? 0])),
  }));
  return (
    <Panel title="Calls by version" flush>
      <div className="chart-area">
        <ChartOrTable
          points={points}
          series={drawn.map(({ version }, i) => ({
            name: `v${version}`,
            label: version === null ? 'no version' : `Version ${version}`,
            color: COLOURS[i] ?? '',
          }))}
          kind="count"
          bucket={bucket}
          shape="bars"
          height={180}
          zone={zone}
          marks={(history.data?.changes ?? []).map(({ label, versions: now, changedAt }) => ({
            at: changedAt,
            name: now === null ? `${label} removed` : `${label} is ${versionsText(now)}`,
          }))}
          label={`Calls by version of ${name} over time`}
        />
      </div>
    </Panel>
  );
}

type Context = { readonly name: string; readonly zone: Zone; readonly shown: number | null };

/** A figure and, below it, how it differs from that of the version before. */
const figure = (
  id: string,
  header: string,
  of: (figures: VersionFigures) => number | null,
  write: (value: number, figures: VersionFigures) => string,
): Column<Row> => ({
  id,
  header,
  align: 'right',
  value: ({ figures }) => (figures === undefined ? -1 : (of(figures) ?? -1)),
  cell: ({ figures, before }) => {
    const own = figures === undefined ? null : of(figures);
    const previous = before === undefined ? null : of(before);
    if (own === null || figures === undefined)
      return id === 'cost' && (figures?.unpriced ?? 0) > 0 ? <Unpriced /> : <span className="dim">–</span>;
    // A rate differs by points, as on all other pages.
    const differ = write === percentText ? pointsOf : changeOf;
    const change = previous === null || previous === 0 ? null : differ(own, previous);
    return (
      <>
        {write(own, figures)}
        {change !== null && before !== undefined && (
          <div className="dim" title={`Version ${figures.previous}: ${write(previous ?? 0, before)}`}>
            {change.text}
          </div>
        )}
      </>
    );
  },
});

const Unpriced = (): JSX.Element => <MarkedCost mark="unpriced">–</MarkedCost>;

/** A cost; with calls that have no price, it is a minimum. */
const minimumText = (usd: number, { unpriced }: VersionFigures): string =>
  unpriced === 0 ? moneyText(usd) : `≥ ${moneyText(usd)}`;

/** Each score and how it differs from that of the version before. */
function Scores({ figures, before }: Row): JSX.Element {
  const scores = figures?.scores ?? [];
  if (scores.length === 0) return <span className="dim">–</span>;
  return (
    <>
      {scores.map((score) => {
        const previous = before?.scores.find(({ name }) => name === score.name);
        const differ = score.type === 'boolean' ? pointsOf : changeOf;
        const change =
          previous === undefined || previous.mean === 0 ? null : differ(score.mean, previous.mean);
        const was =
          previous === undefined
            ? ''
            : `; version ${figures?.previous}: ${meanText(score.type, previous.mean)}`;
        return (
          <div key={score.name} title={`${countText(score.count, 'score')}${was}`}>
            <span className="dim">{score.name}</span> {meanText(score.type, score.mean)}
            {change !== null && <span className="dim"> {change.text}</span>}
          </div>
        );
      })}
    </>
  );
}

const columnsOf = ({ name, zone, shown }: Context): Column<Row>[] => [
  {
    id: 'version',
    header: 'Version',
    value: ({ version }) => version,
    cell: ({ version, labels }) => (
      <>
        <ProjectLink
          page="prompts/$promptName"
          params={{ promptName: name }}
          search={{ version: String(version) }}
          className="row-link"
          title={`Version ${version}`}
        >
          {version === shown ? <strong>{version}</strong> : version}
        </ProjectLink>{' '}
        {labels.map((label) => (
          <span key={label} className="badge">
            {label}
          </span>
        ))}
      </>
    ),
  },
  {
    id: 'message',
    header: 'What changed',
    wide: true,
    value: ({ message }) => message,
    cell: ({ message, createdBy, createdAt }) => (
      <>
        {message === '' ? <span className="dim">no message</span> : message}
        <br />
        <span className="dim">
          {createdBy ?? 'somebody who left'} · {timeText.minute(createdAt, zone)}
        </span>
      </>
    ),
  },
  {
    id: 'calls',
    header: 'Calls',
    align: 'right',
    value: ({ figures }) => figures?.calls ?? 0,
    cell: ({ figures, version }) =>
      figures === undefined ? (
        <span className="dim">–</span>
      ) : (
        <ProjectLink
          page="events"
          search={{ filter: `${termOf('prompt', name)} ${termOf('promptVersion', String(version))}` }}
          title={`Calls made with version ${version}`}
        >
          {numberText(figures.calls)}
        </ProjectLink>
      ),
  },
  figure('cost', 'Cost', ({ cost, unpriced, calls }) => (unpriced < calls ? cost : null), minimumText),
  figure('costPerCall', 'Cost per call', ({ costPerCall }) => costPerCall, moneyText),
  figure('p50', 'p50', ({ latencyP50 }) => latencyP50, durationText),
  figure('p95', 'p95', ({ latencyP95 }) => latencyP95, durationText),
  figure('errors', 'Errors', ({ errorRate }) => errorRate, percentText),
  figure('cache', 'Cached', ({ cacheRate }) => cacheRate, percentText),
  {
    id: 'scores',
    header: 'Scores',
    align: 'right',
    value: ({ figures }) => figures?.scores[0]?.mean ?? -1,
    cell: (row) => <Scores {...row} />,
  },
];
