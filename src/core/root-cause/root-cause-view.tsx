import type { JSX, ReactNode } from 'react';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useZone } from '../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { countText, durationText, moneyText, numberText, unitText } from '../../lib/figures.ts';
import { DeletedNote } from '../events/widgets/deleted-note.tsx';
import { changeText } from './change-text.ts';
import type { RootCause } from './contract.ts';
import { ContributionBars, type Part } from './contribution-bars.tsx';
import css from './root-cause.module.css';

/** Names of dimensions; tags by their name. */
const TITLES: Readonly<Record<string, string>> = {
  release: 'Release',
  model: 'Model',
  agent: 'Agent',
  promptVersion: 'Prompt version',
  promptName: 'Prompt',
  tool: 'Tool',
  userId: 'User',
  keyId: 'API key',
  environment: 'Environment',
  provider: 'Provider',
  errorCode: 'Error',
};
const titleOf = (dimension: string): string => TITLES[dimension] ?? `Tag ${dimension.slice('tag:'.length)}`;

/** What explains a change: the causes, the change by each dimension, and what happened around its start. */
export const RootCauseView = ({
  doc,
  children,
}: {
  doc: RootCause;
  /** Before the dimensions. */
  children?: ReactNode;
}): JSX.Element => (
  <div className="stack">
    <Panel title="What explains it" detail={<Compared doc={doc} />}>
      <div className="stack">
        <p className={css.summary}>{doc.summary}</p>
        <DeletedNote before={doc.deletedBefore} />
        {doc.causes.length > 0 && (
          <ContributionBars
            parts={causeParts(doc)}
            unit={doc.unit}
            label="Causes and their part of the change"
          />
        )}
      </div>
    </Panel>
    <Around doc={doc} />
    {doc.examples.length > 0 && (
      <Panel title="Example calls" detail="newest of the first cause" flush>
        <Examples examples={doc.examples} />
      </Panel>
    )}
    {children}
    {doc.dimensions.length > 0 && (
      <section className={css.grid} aria-label="The change by dimension">
        {doc.dimensions.map((one) => (
          <Panel key={one.dimension} title={titleOf(one.dimension)}>
            <ContributionBars parts={valueParts(one)} unit={doc.unit} label={titleOf(one.dimension)} />
          </Panel>
        ))}
      </section>
    )}
  </div>
);

function Compared({ doc }: { doc: RootCause }): JSX.Element {
  const zone = useZone();
  const { window, baseline, unit } = doc;
  const value = (of: number | null): string => (of === null ? 'no value' : unitText(of, unit));
  return (
    <>
      {value(window.value)} since {timeText.minute(window.start, zone)}, {value(baseline.value)} in the time
      before
    </>
  );
}

const causeParts = ({ causes, rest }: RootCause): Part[] => [
  ...causes.map(({ label, filter, contribution, share, reason }, i) => ({
    id: `${i} ${label}`,
    label,
    filter,
    contribution,
    share,
    note: reason,
  })),
  { id: 'rest', label: <span className="dim">everything else</span>, filter: null, ...rest },
];

/** Most values of a dimension to show; the others are one bar. */
const SHOWN = 6;

function valueParts({ values, others }: RootCause['dimensions'][number]): Part[] {
  const shown = values.slice(0, SHOWN);
  const left = values.slice(SHOWN);
  const count = left.length + others.values;
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
  const rest = {
    contribution: sum([...left.map(({ contribution }) => contribution), others.contribution]),
    share: others.share === null ? null : sum([...left.map(({ share }) => share ?? 0), others.share]),
  };
  return [
    ...shown.map(({ value, label, filter, contribution, share, isNew, before, after }) => ({
      id: value ?? '',
      label: value === null ? <span className="dim">(none)</span> : label,
      filter,
      contribution,
      share,
      note: `${isNew ? 'new, ' : ''}${numberText(before.calls)} → ${countText(after.calls, 'call')}`,
    })),
    ...(count === 0
      ? []
      : [{ id: '\0', label: <span className="dim">{count} others</span>, filter: null, ...rest }]),
  ];
}

function Around({ doc: { changes, deployments } }: { doc: RootCause }): JSX.Element | null {
  const zone = useZone();
  if (changes.length === 0 && deployments.length === 0) return null;
  const rows = [
    ...deployments.map(({ at, release, environment, title }) => ({
      at,
      what: `Release ${release} in ${environment}`,
      by: title ?? '',
    })),
    ...changes.map(({ timestamp, action, subject, by }) => ({
      at: timestamp,
      what: changeText(action, subject),
      by,
    })),
  ].toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const columns: Column<(typeof rows)[number]>[] = [
    { id: 'at', header: 'Time', value: ({ at }) => at, cell: ({ at }) => timeText.minute(at, zone) },
    { id: 'what', header: 'What', value: ({ what }) => what, cell: ({ what }) => what, wraps: true },
    { id: 'by', header: 'Who or why', value: ({ by }) => by, cell: ({ by }) => by, wraps: true },
  ];
  return (
    <Panel
      title="What changed"
      detail="deployments, prices, prompts, settings and keys around the start"
      flush
    >
      <DataTable
        columns={columns}
        rows={rows}
        rowKey={({ at, what }) => `${at} ${what}`}
        label="What changed"
      />
    </Panel>
  );
}

type Example = RootCause['examples'][number];

function Examples({ examples }: { examples: readonly Example[] }): JSX.Element {
  const zone = useZone();
  const columns: Column<Example>[] = [
    {
      id: 'time',
      header: 'Time',
      value: ({ timestamp }) => timestamp,
      cell: ({ timestamp, traceId, eventId }) =>
        traceId === null ? (
          <ProjectLink page="events" search={{ event: eventId, at: timestamp }} className="row-link">
            {timeText.minute(timestamp, zone)}
          </ProjectLink>
        ) : (
          <ProjectLink page="traces/$traceId" params={{ traceId }} className="row-link">
            {timeText.minute(timestamp, zone)}
          </ProjectLink>
        ),
    },
    { id: 'model', header: 'Model', value: ({ model }) => model ?? '', cell: ({ model }) => model ?? '–' },
    {
      id: 'status',
      header: 'Outcome',
      value: ({ status }) => status,
      cell: ({ status, errorCode }) => errorCode ?? status,
    },
    {
      id: 'latency',
      header: 'Latency',
      align: 'right',
      value: ({ latencyMs }) => latencyMs ?? 0,
      cell: ({ latencyMs }) => (latencyMs === null ? '–' : durationText(latencyMs)),
    },
    {
      id: 'cost',
      header: 'Cost',
      align: 'right',
      value: ({ costUsd }) => costUsd ?? 0,
      cell: ({ costUsd }) => (costUsd === null ? '–' : moneyText(costUsd)),
    },
  ];
  return (
    <DataTable
      columns={columns}
      rows={examples}
      rowKey={({ eventId }) => eventId}
      label="Example calls"
      phone={['model', 'status']}
    />
  );
}
