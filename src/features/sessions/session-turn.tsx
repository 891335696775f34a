import { type JSX, type KeyboardEvent, memo } from 'react';
import type { StoredEvent } from '../../core/events/contract.ts';
import { EventCost } from '../../core/events/widgets/event-cost.tsx';
import { StatusBadge } from '../../core/events/widgets/status-badge.tsx';
import { ProjectLink } from '../../dashboard/shell/project-link.tsx';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import { compactText, durationText, moneyText } from '../../lib/figures.ts';
import css from './session-timeline.module.css';
import { TurnSaid } from './turn-said.tsx';

type Props = {
  readonly event: StoredEvent;
  /** The calls before it, the latest first. */
  readonly earlier: readonly StoredEvent[];
  /** Cost of the session up to this event; null where it is not known. */
  readonly soFar: number | null;
  /** Whether the trace's name stands above. */
  readonly inTrace: boolean;
  /** Of the session, epoch milliseconds. */
  readonly start: number;
  readonly zone: Zone;
  /** False where all happened on one day. */
  readonly withDay: boolean;
  readonly selected: boolean;
  readonly onOpen: (event: StoredEvent) => void;
  readonly onKey: (pressed: KeyboardEvent<HTMLElement>) => void;
};

const none: JSX.Element = <span className="dim">–</span>;
/** Longer ones are cut: the whole is in the details. */
const MAX_TEXT = 1_200;

/** One event of a conversation: its figures on a line, and what it adds to the conversation where that is stored. */
export const SessionTurn = memo(function SessionTurn(props: Props): JSX.Element {
  const { event, earlier, soFar, inTrace, start, zone, withDay, selected, onOpen, onKey } = props;
  const name = event.model ?? event.name ?? event.operation;
  const tokens = event.input_tokens + event.output_tokens;
  return (
    <div className={`${css.turnBox} ${inTrace ? css.turnIn : ''} ${selected ? css.turnOpen : ''}`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same for the keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        className={css.turn}
        onClick={({ target }) => (target as Element).closest('a') === null && onOpen(event)}
      >
        <button type="button" className="vopen num" onKeyDown={onKey}>
          {withDay
            ? timeText.second(event.timestamp, zone)
            : timeText.second(event.timestamp, zone).slice(-8)}
          <span className={`dim ${css.turnOffset}`}>{offsetText(Date.parse(event.timestamp) - start)}</span>
        </button>
        <span className={css.turnName}>
          <i className={`kind kind-${event.kind}`} title={event.kind} />
          <span className="clip" title={name}>
            {name}
          </span>
          {event.status !== 'success' && <StatusBadge status={event.status} />}
          {event.error_code !== null && <span className="dim clip">{event.error_code}</span>}
          {event.user_id !== null && <span className={`dim clip ${css.turnWho}`}>{event.user_id}</span>}
        </span>
        <span className={`right num ${css.turnTokens}`}>
          {tokens === 0 ? none : `${compactText(event.input_tokens)} → ${compactText(event.output_tokens)}`}
        </span>
        <span className="right num">
          <EventCost event={event} />
        </span>
        <span className={`right num dim ${css.turnSoFar}`} title="Cost of the session up to here">
          {soFar === null ? null : soFar === 0 ? none : `Σ ${moneyText(soFar)}`}
        </span>
        <span className="right num">{event.latency_ms === null ? none : durationText(event.latency_ms)}</span>
        <span className={`right ${css.turnTrace}`}>
          <ProjectLink
            page="traces/$traceId"
            params={{ traceId: event.trace_id }}
            search={{ span: event.span_id }}
            title={event.trace_id}
          >
            Trace
          </ProjectLink>
        </span>
      </div>
      <TurnSaid event={event} earlier={earlier} />
      {event.error_message !== null && (
        <p className={`${css.turnSaid} bad ${css.turnText}`}>{cut(event.error_message)}</p>
      )}
    </div>
  );
});

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text);

/** How long after the beginning: `+42 s`, `+3.5 h`. */
const offsetText = (ms: number): string => {
  if (ms <= 0) return '';
  if (ms < 3_600_000) return `+${durationText(ms)}`;
  return ms < 172_800_000 ? `+${(ms / 3_600_000).toFixed(1)} h` : `+${(ms / 86_400_000).toFixed(1)} d`;
};
