import type { JSX, ReactNode } from 'react';
import type { StoredEvent } from '../../core/events/contract.ts';
import type { EventSort } from '../../core/events/order/contract.ts';
import { EventCost } from '../../core/events/widgets/event-cost.tsx';
import { StatusBadge } from '../../core/events/widgets/status-badge.tsx';
import type { FieldValue } from '../../dashboard/shell/filter/narrow.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { durationText, numberText } from '../../lib/figures.ts';
import { moneyColumn } from '../../lib/money-column.ts';

export type EventColumn = {
  readonly id: string;
  readonly label: string;
  /** A track of a CSS grid. */
  readonly width: string;
  readonly right?: boolean;
  /** What the API calls the order by this column. */
  readonly sort?: EventSort;
  /** The field of a CSV; several where the column shows one or another. */
  readonly field: keyof StoredEvent | readonly (keyof StoredEvent)[];
  readonly cell: (event: StoredEvent, zone: Zone) => ReactNode;
  /** What the filter is narrowed by at this cell; null without a value. */
  readonly value?: (event: StoredEvent) => FieldValue | null;
};

const none: JSX.Element = <span className="dim">–</span>;
const text = (value: string | null): ReactNode =>
  value === null || value === '' ? none : <span title={value}>{value}</span>;
const fieldValue =
  (field: string, read: (event: StoredEvent) => string | null) =>
  (event: StoredEvent): FieldValue | null => {
    const value = read(event);
    return value === null || value === '' ? null : [field, value];
  };
const count = (value: number): ReactNode => (value === 0 ? none : numberText(value));

/** A list without an end has one number of decimals from its start: six. */
const ofCalls = moneyColumn([0.00001]);

/** Every column that the list of events can show, in their usual order. */
export const EVENT_COLUMNS: readonly EventColumn[] = [
  {
    id: 'time',
    field: 'timestamp',
    sort: 'time',
    label: 'Time',
    width: '152px',
    cell: ({ timestamp }, zone) => timeText.second(timestamp, zone),
  },
  {
    id: 'status',
    field: 'status',
    value: fieldValue('status', ({ status }) => status),
    label: 'Status',
    width: '112px',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: 'kind',
    field: 'kind',
    value: fieldValue('kind', ({ kind }) => kind),
    label: 'Kind',
    width: '92px',
    cell: ({ kind }) => kind,
  },
  {
    id: 'model',
    field: 'model',
    value: fieldValue('model', ({ model }) => model),
    label: 'Model',
    width: 'minmax(150px, 1.4fr)',
    cell: ({ model, name, operation }) => text(model ?? name ?? operation),
  },
  {
    id: 'provider',
    field: 'provider',
    value: fieldValue('provider', ({ provider }) => provider),
    label: 'Provider',
    width: 'minmax(90px, 0.8fr)',
    cell: ({ provider }) => text(provider),
  },
  {
    id: 'operation',
    field: 'operation',
    value: fieldValue('operation', ({ operation }) => operation),
    label: 'Operation',
    width: 'minmax(90px, 0.8fr)',
    cell: ({ operation }) => text(operation),
  },
  {
    id: 'input',
    field: 'input_tokens',
    sort: 'input',
    label: 'Input',
    width: '76px',
    right: true,
    cell: ({ input_tokens }) => count(input_tokens),
  },
  {
    id: 'output',
    field: 'output_tokens',
    sort: 'output',
    label: 'Output',
    width: '76px',
    right: true,
    cell: ({ output_tokens }) => count(output_tokens),
  },
  {
    id: 'cached',
    field: 'cached_input_tokens',
    sort: 'cached',
    label: 'Cached',
    width: '76px',
    right: true,
    cell: ({ cached_input_tokens }) => count(cached_input_tokens),
  },
  {
    id: 'reasoning',
    field: 'reasoning_tokens',
    sort: 'reasoning',
    label: 'Reasoning',
    width: '92px',
    right: true,
    cell: ({ reasoning_tokens }) => count(reasoning_tokens),
  },
  {
    id: 'cost',
    field: 'cost_usd',
    sort: 'cost',
    label: 'Cost',
    width: '112px',
    right: true,
    cell: (event) => <EventCost event={event} write={ofCalls} />,
  },
  {
    id: 'latency',
    field: 'latency_ms',
    sort: 'latency',
    label: 'Latency',
    width: '84px',
    right: true,
    cell: ({ latency_ms }) => (latency_ms === null ? none : durationText(latency_ms)),
  },
  {
    id: 'ttft',
    field: 'ttft_ms',
    sort: 'ttft',
    label: 'First token',
    width: '92px',
    right: true,
    cell: ({ ttft_ms }) => (ttft_ms === null ? none : durationText(ttft_ms)),
  },
  {
    id: 'environment',
    field: 'environment',
    value: fieldValue('environment', ({ environment }) => environment),
    label: 'Environment',
    width: 'minmax(96px, 0.7fr)',
    cell: ({ environment }) => text(environment),
  },
  {
    id: 'user',
    field: 'user_id',
    value: fieldValue('user', ({ user_id }) => user_id),
    label: 'User',
    width: 'minmax(90px, 0.8fr)',
    cell: ({ user_id }) => text(user_id),
  },
  {
    id: 'session',
    field: 'session_id',
    value: fieldValue('session', ({ session_id }) => session_id),
    label: 'Session',
    width: 'minmax(90px, 0.8fr)',
    cell: ({ session_id }) => text(session_id),
  },
  {
    id: 'error',
    field: ['error_code', 'error_message'],
    value: fieldValue('error', ({ error_code }) => error_code),
    label: 'Error',
    width: 'minmax(110px, 1fr)',
    cell: ({ error_code, error_message }) => text(error_code ?? error_message),
  },
  {
    id: 'agentVersion',
    field: 'agent_version',
    value: fieldValue('agentVersion', ({ agent_version }) => agent_version),
    label: 'Agent version',
    width: '110px',
    cell: ({ agent_version }) => text(agent_version),
  },
  {
    id: 'release',
    field: 'release',
    value: fieldValue('release', ({ release }) => release),
    label: 'Release',
    width: '84px',
    cell: ({ release }) => text(release),
  },
  {
    id: 'prompt',
    field: 'prompt_name',
    value: fieldValue('prompt', ({ prompt_name }) => prompt_name),
    label: 'Prompt',
    width: 'minmax(100px, 0.8fr)',
    cell: ({ prompt_name }) => text(prompt_name),
  },
  {
    id: 'name',
    field: 'name',
    value: fieldValue('name', ({ name }) => name),
    label: 'Span name',
    width: 'minmax(110px, 1fr)',
    cell: ({ name }) => text(name),
  },
  {
    id: 'event',
    field: 'event_id',
    label: 'Event id',
    width: '310px',
    cell: ({ event_id }) => <span className="mono">{event_id}</span>,
  },
  {
    id: 'trace',
    field: 'trace_id',
    label: 'Trace',
    width: '92px',
    cell: ({ trace_id }) => (
      <ProjectLink page="traces/$traceId" params={{ traceId: trace_id }} className="mono" title={trace_id}>
        {trace_id.slice(0, 8)}
      </ProjectLink>
    ),
  },
];

/** Columns that are shown unless somebody chooses others. */
export const USUAL_COLUMNS = [
  'time',
  'status',
  'model',
  'input',
  'output',
  'cost',
  'latency',
  'user',
  'error',
  'trace',
];
