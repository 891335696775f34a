import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { DeletedNote } from '../../../core/events/widgets/deleted-note.tsx';
import { RootCauseView } from '../../../core/root-cause/root-cause-view.tsx';
import { apiQuery, send } from '../../../dashboard/shell/api.ts';
import type { ApiError } from '../../../dashboard/shell/api-error.ts';
import { endpointOf } from '../../../dashboard/shell/endpoint.ts';
import { measureLabel, measureOf } from '../../../dashboard/shell/metrics/names.ts';
import { Page } from '../../../dashboard/shell/page.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import { useProjectId, useScope, useSetSearch, useZone } from '../../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../../dashboard/ui/data-table.tsx';
import { FIGURES, timeText } from '../../../dashboard/ui/format.ts';
import { Panel } from '../../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../../dashboard/ui/states.tsx';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../lib/time.ts';
import type { AnomaliesReply, Anomaly, anomaliesEndpoint, explainEndpoint } from '../anomalies/contract.ts';

const listApi = endpointOf<typeof anomaliesEndpoint>('GET /v1/ai/anomalies');
const explainApi = endpointOf<typeof explainEndpoint>('POST /v1/ai/explain');
/** The server looks at no more. */
const MOST_DAYS = 31;

/** Hours that differ from what is usual then, and what explains one of them. */
export function AnomaliesPage(): JSX.Element {
  const { projectId, params, search, range } = useScope('anomalies');
  const setSearch = useSetSearch<'anomalies'>();
  const isLong = (range.to ?? Date.now()) - range.from > MOST_DAYS * DAY_MS;
  const { end } = params;
  // Hours are compared. Each read counts against the limit, so that an hour is read once.
  const start = formatInstant(Math.floor(range.from / HOUR_MS) * HOUR_MS);
  const list = useQuery<AnomaliesReply, ApiError>({
    ...apiQuery(listApi, { query: { projectId, start, end } }),
    enabled: !isLong,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { anomaly } = search;
  const choose = (id: string | undefined): void => {
    setSearch({ anomaly: id });
    // The explanation is above the list.
    window.scrollTo({ top: 0 });
  };
  return (
    <Page title="Anomalies">
      {isLong ? (
        <Panel>
          <Notice icon="calendar" title="Choose a range of at most 31 days" />
        </Panel>
      ) : (
        <Loaded of={list} loading={<LoadingRows rows={6} />}>
          {(data) => (
            <div className="stack">
              {anomaly !== undefined && (
                <Explained id={anomaly} onClose={() => setSearch({ anomaly: undefined })} />
              )}
              <DeletedNote before={data.deletedBefore} of="Hours of users and agents" />
              <List data={data} chosen={anomaly} onChoose={choose} />
            </div>
          )}
        </Loaded>
      )}
    </Page>
  );
}

const figureText = (measure: string, value: number): string => FIGURES[measureOf(measure).kind].full(value);

const DIMENSIONS = { all: 'All calls', model: 'Model', userId: 'User', agent: 'Agent' } as const;

function List({
  data: { anomalies, learning, skipped },
  chosen,
  onChoose,
}: {
  data: AnomaliesReply;
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
}): JSX.Element {
  const zone = useZone();
  const notes = [
    ...(learning ? ['The baseline is still learning: it needs two weeks of the same hour.'] : []),
    ...(skipped.length > 0
      ? [
          `Too many calls to look at: ${skipped.map((one) => DIMENSIONS[one].toLowerCase()).join(', ')}. Choose a shorter range.`,
        ]
      : []),
  ].join(' ');
  if (anomalies.length === 0)
    return (
      <Panel>
        <Notice
          icon={learning ? 'chart' : 'check'}
          title={learning ? 'Too early to say what is unusual' : 'No unusual hours in this time'}
        >
          {notes === ''
            ? 'Each hour is compared with the same hour of the week in the four weeks before.'
            : notes}
        </Notice>
      </Panel>
    );
  const columns: Column<Anomaly>[] = [
    {
      id: 'start',
      header: 'Time',
      value: ({ start }) => start,
      cell: ({ start, end, filter }) => (
        <ProjectLink
          page="events"
          search={{ range: undefined, start, end, filter: filter === '' ? undefined : filter }}
          className="row-link"
        >
          {timeText.minute(start, zone)} – {timeText.clock(end, zone)}
        </ProjectLink>
      ),
    },
    {
      id: 'what',
      header: 'What',
      wraps: true,
      cell: ({ measure, dimension, value }) => (
        <>
          {measureLabel(measure)}{' '}
          <span className="dim any-break">
            {value === null ? DIMENSIONS[dimension].toLowerCase() : `${DIMENSIONS[dimension]} ${value}`}
          </span>
        </>
      ),
    },
    {
      id: 'peak',
      header: 'Peak hour',
      align: 'right',
      cell: ({ measure, peak }) => figureText(measure, peak),
    },
    {
      id: 'usual',
      header: 'Usual',
      align: 'right',
      cell: ({ measure, usual }) => figureText(measure, usual),
    },
    {
      id: 'severity',
      header: 'Severity',
      value: ({ deviations }) => deviations,
      cell: ({ severity }) => (
        <span className={`badge ${severity === 'critical' ? 'bad' : 'warn'}`}>
          {severity === 'critical' ? 'Critical' : 'Warning'}
        </span>
      ),
    },
    {
      id: 'explain',
      header: '',
      align: 'right',
      cell: ({ id }) => (
        <Button
          size="compact-xs"
          variant={id === chosen ? 'filled' : 'default'}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id === chosen ? undefined : id)}
        >
          Explain
        </Button>
      ),
    },
  ];
  return (
    <Panel title="Unusual hours" detail={notes === '' ? 'furthest from the usual first' : notes} flush>
      <DataTable label="Unusual hours" columns={columns} rows={anomalies} rowKey={({ id }) => id} />
    </Panel>
  );
}

type Explanation = Awaited<ReturnType<typeof send<typeof explainEndpoint>>>;

/** The root cause of an anomaly. A change is explained once: each explanation counts against the limit. */
function Explained({ id, onClose }: { id: string; onClose: () => void }): JSX.Element {
  const projectId = useProjectId();
  const doc = useQuery<Explanation, ApiError>({
    queryKey: [explainApi.path, projectId, id],
    queryFn: ({ signal }) => send(explainApi, { query: { projectId }, body: { anomalyId: id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded of={doc} loading={<LoadingRows rows={6} />}>
      {(data) => (
        <div className="stack">
          <RootCauseView doc={data} />
          <div>
            <Button variant="default" size="xs" onClick={onClose}>
              Close explanation
            </Button>
          </div>
        </div>
      )}
    </Loaded>
  );
}
