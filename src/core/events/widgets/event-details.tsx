import { Button, SegmentedControl } from '@mantine/core';
import { type JSX, lazy, type ReactNode, Suspense, useState } from 'react';
import { Narrow } from '../../../dashboard/shell/filter/narrow.tsx';
import { ProjectLink } from '../../../dashboard/shell/project-link.tsx';
import type { Scope } from '../../../dashboard/shell/scope/scope.ts';
import { CopyId } from '../../../dashboard/ui/copy-id.tsx';
import { timeText, type Zone } from '../../../dashboard/ui/format.ts';
import { LoadingRows } from '../../../dashboard/ui/states.tsx';
import { durationText, numberText } from '../../../lib/figures.ts';
import type { StoredEvent } from '../contract.ts';
import type { EventPlace } from '../list/contract.ts';
import { EventCost } from './event-cost.tsx';
import css from './event-details.module.css';
import { useEventExtras } from './event-extras.tsx';
import { SessionLink, UserLink } from './person-link.tsx';
import { StatusBadge } from './status-badge.tsx';
import { type Neighbours, useNeighbours } from './use-neighbours.ts';

/** With the field of the filter language that the value is of, where there is one. */
type Fact = readonly [label: string, value: ReactNode, field?: string, text?: string | null];

type Props = {
  readonly event: StoredEvent;
  readonly zone: Zone;
  /** Of a page that the filter narrows; values then can be filtered by. */
  readonly search?: Scope['search'] | undefined;
  /** The calls around it: in its trace on the page of one, else in its session. */
  readonly around?: Neighbours | undefined;
  /** Shows one of the calls around it. */
  readonly onOpen?: ((place: EventPlace) => void) | undefined;
};

const VIEWS = { messages: 'Messages', details: 'Details', json: 'JSON' } as const;
type View = keyof typeof VIEWS;

const CallView = lazy(async () => ({ default: (await import('./reading/call-view.tsx')).CallView }));
const JsonView = lazy(async () => ({ default: (await import('./reading/code-block.tsx')).CodeBlock }));
const CopyMenu = lazy(async () => ({ default: (await import('./reading/copy-menu.tsx')).CopyMenu }));

const hasContent = ({ input, output }: StoredEvent): boolean => (input ?? output ?? null) !== null;

/** Everything that is known of one event: what was said where that is stored, its figures, and its JSON. */
export function EventDetails({ event, zone, search, around, onOpen }: Props): JSX.Element {
  const [chosen, choose] = useState<View | null>(null);
  const inSession = useNeighbours(event, around === undefined);
  const { previous, next } = around ?? inSession;
  const of = around === undefined ? 'session' : 'trace';
  const view = chosen ?? (hasContent(event) ? 'messages' : 'details');
  return (
    <div className={css.details}>
      <div className={css.detailsHead}>
        <strong>{event.name ?? event.model ?? event.operation}</strong>
        <StatusBadge status={event.status} />
        {event.kind !== 'llm' && <span className="badge">{event.kind}</span>}
        {!event.counted && isCall(event) && (
          <span className="badge" title="Another span reports the same call and is counted">
            counted elsewhere
          </span>
        )}
      </div>
      {view === 'messages' && <Summary event={event} />}
      {event.error_message !== null && <pre className={css.detailsError}>{event.error_message}</pre>}
      <div className={css.detailsBar}>
        <SegmentedControl
          size="xs"
          aria-label="Shown of the event"
          value={view}
          onChange={(value) => choose(value as View)}
          data={Object.entries(VIEWS).map(([value, label]) => ({ value, label }))}
        />
        {onOpen !== undefined && (previous ?? next) !== null && (
          <span className={css.around}>
            <Step label={`Previous call of the ${of}`} to={previous} onOpen={onOpen} />
            <Step label={`Next call of the ${of}`} to={next} onOpen={onOpen} />
          </span>
        )}
        {hasContent(event) && (
          <Suspense>
            <CopyMenu event={event} />
          </Suspense>
        )}
        {hasContent(event) && event.kind === 'llm' && (
          <ProjectLink page="playground" search={{ event: event.event_id, at: event.timestamp }}>
            Open in playground
          </ProjectLink>
        )}
      </div>
      <Suspense fallback={<LoadingRows rows={6} />}>
        {view === 'messages' && <CallView key={event.event_id} event={event} previous={previous} />}
        {view === 'json' && (
          <JsonView key={event.event_id} text={JSON.stringify(event, null, 2)} label="Event as JSON" />
        )}
      </Suspense>
      {view === 'details' && <Details event={event} zone={zone} search={search} />}
    </div>
  );
}

type StepProps = {
  readonly label: string;
  readonly to: EventPlace | null;
  readonly onOpen: (place: EventPlace) => void;
};

const Step = ({ label, to, onOpen }: StepProps): JSX.Element => (
  <Button
    size="compact-xs"
    variant="default"
    disabled={to === null}
    aria-label={label}
    title={label}
    onClick={() => to !== null && onOpen(to)}
  >
    {label.startsWith('Previous') ? '‹ Call' : 'Call ›'}
  </Button>
);

/** The figures of a call in a line. */
function Summary({ event }: { event: StoredEvent }): JSX.Element | null {
  const { model, provider, latency_ms, input_tokens, output_tokens, cost_status } = event;
  const facts = [
    model === (event.name ?? model) ? provider : model,
    cost_status === null ? null : <EventCost key="cost" event={event} />,
    input_tokens + output_tokens === 0
      ? null
      : `${numberText(input_tokens)} → ${numberText(output_tokens)} tokens`,
    latency_ms === null ? null : durationText(latency_ms),
  ].filter((fact) => fact !== null);
  if (facts.length === 0) return null;
  return (
    <p className={`${css.summary} dim num`}>
      {facts.map((fact, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same facts in the same order
        <span key={place}>{fact}</span>
      ))}
    </p>
  );
}

const Details = ({ event, zone, search }: Omit<Props, 'around' | 'onOpen'>): JSX.Element => (
  <>
    <Facts of={figures(event)} search={search} />
    <CostExtra key={event.event_id} event={event} />
    <Facts title="Tokens" of={tokens(event)} />
    <Facts title="Context" of={places(event, zone)} search={search} />
    <Facts title="More" of={more(event)} />
    <Json title="Tags" value={event.tags} />
    <Json title="Metadata" value={event.metadata} />
    <Json title="Usage as sent" value={event.usage} />
  </>
);

function CostExtra({ event }: { event: StoredEvent }): JSX.Element | null {
  const Cost = useEventExtras()?.Cost;
  return Cost === undefined || event.cost_status === null ? null : (
    <Suspense>
      <Cost event={event} />
    </Suspense>
  );
}

const isCall = ({ kind }: StoredEvent): boolean => kind === 'llm' || kind === 'embedding';

type FactsProps = Pick<Props, 'search'> & { readonly title?: string; readonly of: readonly Fact[] };

/** Facts that are there; null and empty ones are left out. */
function Facts({ title, of, search }: FactsProps): JSX.Element | null {
  const there = of.filter(([, value]) => value !== null && value !== undefined && value !== '');
  if (there.length === 0) return null;
  return (
    <section>
      {title !== undefined && <h3>{title}</h3>}
      <dl>
        {there.map(([label, value, field, text = value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value}
              {search !== undefined && field !== undefined && typeof text === 'string' && (
                <Narrow to={[field, text]} search={search} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const figures = (event: StoredEvent): Fact[] => [
  ['Cost', event.cost_status === null ? null : <EventCost key="cost" event={event} />],
  ['Latency', event.latency_ms === null ? null : durationText(event.latency_ms)],
  ['First token', event.ttft_ms === null ? null : durationText(event.ttft_ms)],
  ['Error code', event.error_code, 'error'],
  ['Model', event.model, 'model'],
  ['Provider', event.provider, 'provider'],
  ['Operation', event.operation, 'operation'],
  ['Finish reason', event.finish_reason, 'finish'],
];

const tokens = (event: StoredEvent): Fact[] =>
  event.input_tokens + event.output_tokens === 0
    ? []
    : [
        ['Input', numberText(event.input_tokens)],
        ['of which cached', event.cached_input_tokens === 0 ? null : numberText(event.cached_input_tokens)],
        [
          'of which cache write',
          event.cache_write_tokens === 0 ? null : numberText(event.cache_write_tokens),
        ],
        ['Output', numberText(event.output_tokens)],
        ['of which reasoning', event.reasoning_tokens === 0 ? null : numberText(event.reasoning_tokens)],
      ];

const places = (event: StoredEvent, zone: Zone): Fact[] => [
  ['Time', timeText.full(event.timestamp, zone)],
  [
    'Trace',
    <ProjectLink
      key="trace"
      page="traces/$traceId"
      params={{ traceId: event.trace_id }}
      search={{ span: event.span_id }}
      className="mono"
    >
      {event.trace_id}
    </ProjectLink>,
  ],
  ['User', event.user_id && <UserLink key="user" id={event.user_id} />, 'user', event.user_id],
  [
    'Session',
    event.session_id && <SessionLink key="session" id={event.session_id} />,
    'session',
    event.session_id,
  ],
  ['Environment', event.environment, 'environment'],
  ['Release', event.release, 'release'],
  ['Agent', event.agent, 'agent'],
  ['Agent version', event.agent_version, 'agentVersion'],
  ['Tool', event.tool, 'tool'],
  [
    'Prompt',
    event.prompt_name && `${event.prompt_name}${event.prompt_version ? ` · ${event.prompt_version}` : ''}`,
  ],
];

const more = (event: StoredEvent): Fact[] => [
  ['Event id', <CopyId key="event" id={event.event_id} />],
  ['Span id', <CopyId key="span" id={event.span_id} />],
  ['Parent span', event.parent_span_id && <CopyId key="parent" id={event.parent_span_id} />],
  ['Prompt hash', event.prompt_hash && <CopyId key="hash" id={event.prompt_hash} />],
  ['Streamed', event.stream ? 'yes' : null],
  ['SDK', event.sdk_version],
];

function Json({ title, value }: { title: string; value: unknown }): JSX.Element | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object' && Object.keys(value).length === 0) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <section>
      <h3>{title}</h3>
      <pre className="json" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}
