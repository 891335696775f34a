import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type JSX,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useRef,
  useState,
} from 'react';
import type { EventPage, StoredEvent } from '../../core/events/contract.ts';
import { type FieldValue, Narrow } from '../../dashboard/shell/filter/narrow.tsx';
import { MoreRow } from '../../dashboard/shell/more-row.tsx';
import type { Scope } from '../../dashboard/shell/scope/scope.ts';
import { type Pages, useMore } from '../../dashboard/shell/use-pages.ts';
import type { Zone } from '../../dashboard/ui/format.ts';
import type { EventColumn } from './event-columns.tsx';
import css from './event-table.module.css';

const ROW = 32;
/** The head, and room for a bar to scroll sideways. */
const HEAD = 48;

type Props = {
  readonly events: readonly StoredEvent[];
  readonly total: number;
  readonly columns: readonly EventColumn[];
  readonly zone: Zone;
  /** Id of the event that is open. */
  readonly open: string | undefined;
  readonly onOpen: (event: StoredEvent) => void;
  readonly pages: Pages<EventPage>;
  readonly search: Scope['search'];
};

/** Rows of which only those in sight exist. The arrow keys move from row to row, Enter opens one. */
export function EventTable(props: Props): JSX.Element {
  const { events, total, columns, zone, open, onOpen, pages, search } = props;
  const place = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: events.length + (pages.hasNextPage ? 1 : 0),
    getScrollElement: () => place.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useMore(pages, last >= events.length - 20);
  const template = columns.map(({ width }) => width).join(' ');
  // A row that leaves on one side is used again on the other: cheaper than a new one.
  const slots = useRef(1);
  slots.current = Math.max(slots.current, shown.length);
  // One listener for all rows, so that a row is nothing but what is seen of it.
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    const index = rowOf(event);
    if (step === undefined || index === null || !inButton(event)) return;
    event.preventDefault();
    const to = Math.min(events.length - 1, Math.max(0, index + step));
    rows.scrollToIndex(to);
    requestAnimationFrame(() =>
      place.current?.querySelector<HTMLElement>(`[data-row="${to}"] button`)?.focus({ preventScroll: true }),
    );
  };
  const [hovered, setHovered] = useState<{ row: number; column: string } | null>(null);
  const hover = (event: MouseEvent): void => {
    const row = rowOf(event);
    const column = closest(event, '[data-column]')?.dataset.column;
    if (row === hovered?.row && column === hovered?.column) return;
    setHovered(row === null || column === undefined ? null : { row, column });
  };
  const click = (event: MouseEvent): void => {
    if (closest(event, 'a') !== null) return;
    const chosen = events[rowOf(event) ?? -1];
    if (chosen !== undefined) onOpen(chosen);
  };
  return (
    <div
      ref={place}
      className={css.vtable}
      role="table"
      aria-label="Events"
      aria-rowcount={total + 1}
      style={{ '--rows': `${HEAD + rows.getTotalSize()}px` } as CSSProperties}
    >
      <div className={css.vhead} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {columns.map(({ id, label, right }) => (
          <span key={id} role="columnheader" className={right ? 'right' : undefined}>
            {label}
          </span>
        ))}
      </div>
      <div
        role="rowgroup"
        className="vbody"
        style={{ height: rows.getTotalSize() }}
        onKeyDown={move}
        onClick={click}
        onMouseMove={hover}
        onMouseLeave={() => setHovered(null)}
      >
        {shown.map(({ index, start }) => {
          const event = events[index];
          if (event === undefined)
            return (
              <div
                key="more"
                role="row"
                className={`${css.vrow} ${css.vmore}`}
                style={{ transform: `translateY(${start}px)`, height: ROW }}
              >
                <span role="cell">
                  <MoreRow pages={pages} />
                </span>
              </div>
            );
          return (
            <EventRow
              key={index % slots.current}
              event={event}
              index={index}
              top={start}
              columns={columns}
              template={template}
              zone={zone}
              open={event.event_id === open}
              narrowed={hovered?.row === index ? hovered.column : undefined}
              search={search}
            />
          );
        })}
      </div>
    </div>
  );
}

type RowProps = Pick<Props, 'columns' | 'zone'> & {
  readonly event: StoredEvent;
  readonly index: number;
  readonly top: number;
  readonly template: string;
  readonly open: boolean;
  /** The column at which the pointer is. */
  readonly narrowed: string | undefined;
  readonly search: Scope['search'];
};

const EventRow = memo(function EventRow(props: RowProps): JSX.Element {
  const { event, index, top, columns, template, zone, open, narrowed, search } = props;
  return (
    <div
      role="row"
      data-row={index}
      aria-rowindex={index + 2}
      aria-selected={open}
      className={css.vrow}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)`, height: ROW }}
    >
      {columns.map(({ id, right, cell, value }, at) => (
        <span key={id} role="cell" data-column={id} className={right ? 'right num' : undefined}>
          {at === 0 ? (
            <button type="button" className="vopen num">
              {cell(event, zone)}
            </button>
          ) : (
            cell(event, zone)
          )}
          {narrowed === id && <CellNarrow to={value?.(event) ?? null} search={search} />}
        </span>
      ))}
    </div>
  );
});

/** Over the end of the cell, so that nothing moves. */
const CellNarrow = ({
  to,
  search,
}: {
  to: FieldValue | null;
  search: Scope['search'];
}): JSX.Element | null =>
  to === null ? null : (
    <span className={css.narrow}>
      <Narrow to={to} search={search} />
    </span>
  );

const closest = ({ target }: { target: EventTarget }, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

const inButton = (event: { target: EventTarget }): boolean => closest(event, '.vopen') !== null;

const rowOf = (event: { target: EventTarget }): number | null => {
  const row = closest(event, '[data-row]')?.dataset.row;
  return row === undefined ? null : Number(row);
};
