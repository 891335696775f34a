import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type JSX, type KeyboardEvent, useMemo, useRef } from 'react';
import type { StoredEvent, TraceLine } from '../../core/events/contract.ts';
import { MoreRow } from '../../dashboard/shell/more-row.tsx';
import { type Pages, useMore } from '../../dashboard/shell/use-pages.ts';
import { timeText, type Zone } from '../../dashboard/ui/format.ts';
import type { SessionEventsReply, SessionReply } from './contract.ts';
import css from './session-timeline.module.css';
import { SessionTurn } from './session-turn.tsx';
import { TraceHead } from './trace-head.tsx';
import { LOOKS_BACK, runningCosts } from './turn-of.ts';

type Props = {
  /** Oldest first, as far as they were fetched. */
  readonly events: readonly StoredEvent[];
  /** Whether only events with a text are listed, so that costs do not add up. */
  readonly isSearch: boolean;
  readonly traces: readonly TraceLine[];
  readonly session: SessionReply['session'];
  readonly zone: Zone;
  /** Id of the event that is open. */
  readonly open: string | undefined;
  readonly onOpen: (event: StoredEvent) => void;
  readonly pages: Pages<SessionEventsReply>;
};

type Row =
  | { readonly kind: 'trace'; readonly trace: TraceLine; readonly key: string }
  | {
      readonly kind: 'event';
      readonly event: StoredEvent;
      readonly earlier: readonly StoredEvent[];
      readonly soFar: number;
      readonly inTrace: boolean;
      readonly key: string;
    };

/** Events below each other; where a trace of several spans begins, or goes on after another, its name. */
function rowsOf(events: readonly StoredEvent[], traces: readonly TraceLine[]): Row[] {
  const byId = new Map(traces.map((trace) => [trace.trace_id, trace]));
  const costs = runningCosts(events);
  let earlier: readonly StoredEvent[] = [];
  return events.flatMap((event, i): Row[] => {
    const trace = byId.get(event.trace_id);
    const inTrace = trace !== undefined && trace.spans > 1;
    const row: Row = { kind: 'event', event, earlier, soFar: costs[i] ?? 0, inTrace, key: event.event_id };
    if (event.kind === 'llm') earlier = [event, ...earlier].slice(0, LOOKS_BACK);
    return inTrace && events[i - 1]?.trace_id !== event.trace_id
      ? [{ kind: 'trace', trace, key: `trace ${event.event_id}` }, row]
      : [row];
  });
}

/** A conversation to be read downwards. Only the rows in sight exist; more are fetched as they are reached. */
export function SessionTimeline(props: Props): JSX.Element {
  const { events, isSearch, traces, session, zone, open, onOpen, pages } = props;
  const { hasNextPage } = pages;
  const start = Date.parse(session.start);
  const withDay = timeText.date(session.start, zone) !== timeText.date(session.end, zone);
  const place = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(events, traces), [events, traces]);
  const virtual = useVirtualizer({
    count: rows.length + (hasNextPage ? 1 : 0),
    getScrollElement: () => place.current,
    estimateSize: () => 40,
    getItemKey: (index) => rows[index]?.key ?? 'more',
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useMore(pages, last >= rows.length - 20);
  const move = (pressed: KeyboardEvent<HTMLElement>, from: number): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[pressed.key];
    if (step === undefined) return;
    pressed.preventDefault();
    let to = from + step;
    if (rows[to]?.kind === 'trace') to += step;
    if (rows[to]?.kind !== 'event') return;
    virtual.scrollToIndex(to);
    requestAnimationFrame(() =>
      place.current
        ?.querySelector<HTMLElement>(`[data-index="${to}"] .vopen`)
        ?.focus({ preventScroll: true }),
    );
  };
  return (
    <div
      ref={place}
      className={`${css.timeline} ${withDay ? css.timelineDays : ''}`}
      role="list"
      aria-label="Timeline"
      data-partial=""
      style={{ '--rows': `${virtual.getTotalSize() + 1}px` } as CSSProperties}
    >
      <div className="vbody" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start: top, key }) => {
          const row = rows[index];
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              role="listitem"
              aria-setsize={hasNextPage ? -1 : rows.length}
              aria-posinset={index + 1}
              className={css.timelineRow}
              style={{ transform: `translateY(${top}px)` }}
            >
              {row === undefined ? (
                <span className={css.timelineMore}>
                  <MoreRow pages={pages} />
                </span>
              ) : row.kind === 'trace' ? (
                <TraceHead trace={row.trace} />
              ) : (
                <SessionTurn
                  event={row.event}
                  earlier={row.earlier}
                  soFar={isSearch ? null : row.soFar}
                  inTrace={row.inTrace}
                  start={start}
                  zone={zone}
                  withDay={withDay}
                  selected={row.event.event_id === open}
                  onOpen={onOpen}
                  onKey={(pressed) => move(pressed, index)}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
