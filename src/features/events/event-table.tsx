import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type JSX,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { EventPage, StoredEvent } from '../../core/events/contract.ts';
import { type FieldValue, Narrow } from '../../dashboard/shell/filter/narrow.tsx';
import { MoreRow } from '../../dashboard/shell/more-row.tsx';
import type { Scope } from '../../dashboard/shell/scope/scope.ts';
import { type Pages, useMore } from '../../dashboard/shell/use-pages.ts';
import type { Zone } from '../../dashboard/ui/format.ts';
import type { TableLayout, TableOrder } from '../../dashboard/ui/table/column.ts';
import { ariaSort, SortButton } from '../../dashboard/ui/table/head-cell.tsx';
import { useOpenRows } from '../../dashboard/ui/table/open-row.ts';
import { useIsPhone, usePhoneOrder } from '../../dashboard/ui/table/phone-order.ts';
import { Resizer } from '../../dashboard/ui/table/resizer.tsx';
import type { EventColumn } from './event-columns.tsx';
import css from './event-table.module.css';
import type { Selection } from './selection/use-selection.ts';

const ROW = { dense: 26, usual: 32 } as const;
/** The head, and room for a bar to scroll sideways. */
const HEAD = 48;

type Props = {
  readonly events: readonly StoredEvent[];
  readonly total: number;
  readonly columns: readonly EventColumn[];
  readonly zone: Zone;
  /** Id of the event that is open. */
  readonly open: string | undefined;
  readonly order: TableOrder;
  readonly layout: TableLayout;
  readonly pages: Pages<EventPage>;
  readonly search: Scope['search'];
  readonly selection: Selection;
};

/** The boxes to choose rows with. */
const SELECT = { usual: '34px', phone: '28px' } as const;
/** The columns that are in sight on a phone, with their tracks there. */
const PHONE: Readonly<Record<string, string>> = { time: '125px', model: 'minmax(114px, 1fr)', cost: '94px' };

/** Rows of which only those in sight exist. The arrow keys move from row to row, Enter opens one. */
export function EventTable(props: Props): JSX.Element {
  const { events, total, zone, open, order, layout, pages, search, selection } = props;
  const isPhone = useIsPhone() && !layout.isChanged;
  const columns = usePhoneOrder(props.columns, isPhone ? Object.keys(PHONE) : undefined);
  const place = useRef<HTMLDivElement>(null);
  const height = layout.isDense ? ROW.dense : ROW.usual;
  const rows = useVirtualizer({
    count: events.length + (pages.hasNextPage ? 1 : 0),
    getScrollElement: () => place.current,
    estimateSize: () => height,
    overscan: 10,
  });
  useEffect(() => {
    if (height > 0) rows.measure();
  }, [rows, height]);
  useOpenRows(place);
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useMore(pages, last >= events.length - 20);
  const widths = columns.map(({ id, width }) =>
    layout.widths[id] === undefined ? ((isPhone ? PHONE[id] : undefined) ?? width) : `${layout.widths[id]}px`,
  );
  const tracks = [isPhone ? SELECT.phone : SELECT.usual, ...widths];
  const template = tracks.join(' ');
  // Head and rows are as wide as all columns at their least, so that they agree when the list scrolls sideways.
  const least = tracks.reduce((sum, track) => sum + Number(/\d+/.exec(track)?.[0] ?? 0), 0);
  // A row that leaves on one side is used again on the other: cheaper than a new one.
  const slots = useRef(1);
  slots.current = Math.max(slots.current, shown.length);
  // One listener for all rows, so that a row is nothing but what is seen of it.
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    const index = rowOf(event);
    if (step === undefined || index === null || !inLink(event)) return;
    event.preventDefault();
    const to = Math.min(events.length - 1, Math.max(0, index + step));
    rows.scrollToIndex(to);
    requestAnimationFrame(() =>
      place.current?.querySelector<HTMLElement>(`[data-row="${to}"] .vopen`)?.focus({ preventScroll: true }),
    );
  };
  const [hovered, setHovered] = useState<{ row: number; column: string } | null>(null);
  const hover = (event: MouseEvent): void => {
    const row = rowOf(event);
    const column = closest(event, '[data-column]')?.dataset.column;
    if (row === hovered?.row && column === hovered?.column) return;
    setHovered(row === null || column === undefined ? null : { row, column });
  };
  return (
    <div
      ref={place}
      className={css.vtable}
      role="table"
      aria-label="Events"
      aria-rowcount={total + 1}
      data-partial=""
      style={{ '--rows': `${HEAD + rows.getTotalSize()}px`, '--least': `${least}px` } as CSSProperties}
    >
      <div className={css.vhead} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        <span role="columnheader">
          <span className="sr">Select</span>
        </span>
        {columns.map((column) => (
          <Head key={column.id} column={column} order={order} layout={layout} />
        ))}
      </div>
      <div
        role="rowgroup"
        className="vbody"
        style={{ height: rows.getTotalSize() }}
        onKeyDown={move}
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
                style={{ transform: `translateY(${start}px)`, height }}
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
              height={height}
              columns={columns}
              template={template}
              zone={zone}
              open={event.event_id === open}
              narrowed={hovered?.row === index ? hovered.column : undefined}
              search={search}
              chosen={selection.chosen.has(event.event_id)}
              onChoose={selection.choose}
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
  readonly height: number;
  readonly template: string;
  readonly open: boolean;
  /** The column at which the pointer is. */
  readonly narrowed: string | undefined;
  readonly search: Scope['search'];
  readonly chosen: boolean;
  readonly onChoose: Selection['choose'];
};

const EventRow = memo(function EventRow(props: RowProps): JSX.Element {
  const { event, index, top, height, columns, template, zone, open, narrowed, search, chosen } = props;
  return (
    <div
      role="row"
      data-row={index}
      aria-rowindex={index + 2}
      aria-selected={open}
      className={css.vrow}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)`, height }}
    >
      <span role="cell">
        <input
          type="checkbox"
          className={css.choose}
          aria-label={`Select ${event.event_id}`}
          title="Shift-click selects all from the last one on"
          checked={chosen}
          readOnly
          onClick={({ shiftKey }) => props.onChoose(index, shiftKey)}
        />
      </span>
      {columns.map(({ id, right, cell, value }, at) => (
        <span key={id} role="cell" data-column={id} className={right ? 'right num' : undefined}>
          {at === 0 ? <EventLink event={event}>{cell(event, zone)}</EventLink> : cell(event, zone)}
          {narrowed === id && <CellNarrow to={value?.(event) ?? null} search={search} />}
        </span>
      ))}
    </div>
  );
});

/** The address of the list with the event open. */
const EventLink = ({ event, children }: { event: StoredEvent; children: ReactNode }): JSX.Element => (
  <Link
    to="."
    search={(before) => ({ ...before, event: event.event_id, at: event.timestamp })}
    resetScroll={false}
    className="vopen num row-link"
  >
    {children}
  </Link>
);

type HeadProps = Pick<Props, 'order' | 'layout'> & { readonly column: EventColumn };

function Head({ column: { id, label, right, sort }, order, layout }: HeadProps): JSX.Element {
  const desc = sort !== undefined && order.sorting?.id === sort ? order.sorting.desc : null;
  return (
    <span role="columnheader" aria-sort={ariaSort(desc)} className={right ? 'right' : undefined}>
      {sort === undefined ? (
        label
      ) : (
        <SortButton
          label={label}
          desc={desc}
          isFigure
          onSort={(down) => order.set({ id: sort, desc: down })}
        />
      )}
      <Resizer onWidth={(width) => layout.setWidth(id, width)} />
    </span>
  );
}

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

const inLink = (event: { target: EventTarget }): boolean => closest(event, '.vopen') !== null;

const rowOf = (event: { target: EventTarget }): number | null => {
  const row = closest(event, '[data-row]')?.dataset.row;
  return row === undefined ? null : Number(row);
};
