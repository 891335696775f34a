import { Loader } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type JSX, type KeyboardEvent, useEffect, useRef } from 'react';
import type { StoredEvent } from '../../core/events/contract.ts';
import type { Zone } from '../../dashboard/format.ts';
import type { EventColumn } from './event-columns.tsx';

const ROW = 32;

type Props = {
  readonly events: readonly StoredEvent[];
  readonly total: number;
  readonly columns: readonly EventColumn[];
  readonly zone: Zone;
  /** Id of the event that is open. */
  readonly open: string | undefined;
  readonly onOpen: (event: StoredEvent) => void;
  readonly more: boolean;
  readonly onMore: () => void;
};

/** Rows of which only those in sight exist. The arrow keys move from row to row, Enter opens one. */
export function EventTable({ events, total, columns, zone, open, onOpen, more, onMore }: Props): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: events.length + (more ? 1 : 0),
    getScrollElement: () => place.current,
    estimateSize: () => ROW,
    overscan: 16,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= events.length - 20) onMore();
  }, [more, last, events.length, onMore]);
  const template = columns.map(({ width }) => width).join(' ');
  const move = (event: KeyboardEvent<HTMLElement>, index: number): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const to = Math.min(events.length - 1, Math.max(0, index + step));
    rows.scrollToIndex(to);
    requestAnimationFrame(() =>
      place.current?.querySelector<HTMLElement>(`[data-row="${to}"] button`)?.focus({ preventScroll: true }),
    );
  };
  return (
    <div ref={place} className="vtable" role="table" aria-label="Events" aria-rowcount={total + 1}>
      <div className="vhead" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {columns.map(({ id, label, right }) => (
          <span key={id} role="columnheader" className={right ? 'right' : undefined}>
            {label}
          </span>
        ))}
      </div>
      <div role="rowgroup" className="vbody" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const event = events[index];
          if (event === undefined)
            return (
              <div
                key="more"
                role="row"
                className="vrow vmore"
                style={{ transform: `translateY(${start}px)`, height: ROW }}
              >
                <span role="cell">
                  <Loader size={14} color="gray" />
                </span>
              </div>
            );
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the button in the first cell does the same by key
            <div
              key={event.event_id}
              role="row"
              data-row={index}
              aria-rowindex={index + 2}
              aria-selected={event.event_id === open}
              className="vrow"
              style={{ gridTemplateColumns: template, transform: `translateY(${start}px)`, height: ROW }}
              onClick={() => onOpen(event)}
            >
              {columns.map(({ id, right, cell }, at) => (
                <span key={id} role="cell" className={right ? 'right num' : undefined}>
                  {at === 0 ? (
                    <button type="button" className="vopen num" onKeyDown={(pressed) => move(pressed, index)}>
                      {cell(event, zone)}
                    </button>
                  ) : (
                    cell(event, zone)
                  )}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
