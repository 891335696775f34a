import type { JSX } from 'react';
import type { TraceLine } from '../../core/events/contract.ts';
import { costColumn } from '../../core/pricing/money.tsx';
import { useApi } from '../../dashboard/shell/api.ts';
import { endpointOf } from '../../dashboard/shell/endpoint.ts';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { useScope } from '../../dashboard/shell/scope/scope.ts';
import { type Column, DataTable } from '../../dashboard/ui/data-table.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { Loaded, LoadingRows, Notice } from '../../dashboard/ui/states.tsx';
import { durationText, numberText } from '../../lib/figures.ts';
import type { listTracesEndpoint } from './contract.ts';

const listTracesApi = endpointOf<typeof listTracesEndpoint>('GET /v1/traces');
const SHOWN = 10;

/** The latest traces of a page's window with a span that a filter of the filter language finds. */
export function RecentTraces({
  title,
  filter,
}: {
  readonly title: string;
  readonly filter: string;
}): JSX.Element {
  const { params, zone, every } = useScope();
  const { projectId, start, end, environment } = params;
  const query = { projectId, start, end, environment, filter, limit: SHOWN };
  const traces = useApi(listTracesApi, { query }, { every });
  return (
    <Panel
      title={title}
      actions={
        <ProjectLink page="traces" search={{ filter }}>
          All traces
        </ProjectLink>
      }
      flush
    >
      <Loaded of={traces} loading={<LoadingRows rows={3} />}>
        {(data) =>
          data.traces.length === 0 ? (
            <Notice title="No traces in this time" />
          ) : (
            <DataTable
              label={title}
              phone={['start', 'name', 'cost']}
              columns={columnsFor(zone)}
              rows={data.traces}
              rowKey={({ trace_id }) => trace_id}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const columnsFor = (zone: Zone): Column<TraceLine>[] => [
  { id: 'start', header: 'Started', cell: ({ start }) => timeText.second(start, zone) },
  {
    id: 'name',
    header: 'Name',
    wide: true,
    cell: ({ name, trace_id, errors }) => (
      <span className="marked">
        <ProjectLink page="traces/$traceId" params={{ traceId: trace_id }} title={name} className="row-link">
          {name === '' ? trace_id.slice(0, 8) : name}
        </ProjectLink>
        {errors > 0 && <span className="badge bad badge-after">{numberText(errors)} failed</span>}
      </span>
    ),
  },
  { id: 'spans', header: 'Spans', align: 'right', cell: ({ spans }) => numberText(spans) },
  {
    id: 'duration',
    header: 'Duration',
    align: 'right',
    cell: ({ duration_ms }) => durationText(duration_ms),
  },
  costColumn<TraceLine>(({ cost_usd, unpriced, llm_calls }) => ({
    usd: cost_usd,
    unpriced,
    calls: llm_calls,
  })),
];
