import { useVirtualizer } from '@tanstack/react-virtual';
import { type JSX, type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef } from 'react';
import { durationText } from '../../lib/figures.ts';
import { idOfRow, SPAN_HEIGHT, SpanRow } from './span-row.tsx';
import { ancestors, type Spans, unfolded } from './trace-tree.ts';
import css from './waterfall.module.css';

const HEAD_HEIGHT = 40;

type Props = {
  readonly spans: Spans;
  /** Of the trace, in milliseconds; 0 if no span has a latency. */
  readonly duration: number;
  /** The place of the span that is shown in full; -1 for none. */
  readonly selected: number;
  readonly onSelect: (place: number) => void;
  readonly folded: ReadonlySet<number>;
  readonly onFold: (folded: ReadonlySet<number>) => void;
  /** 1 at the place of each span on the critical path. */
  readonly critical: Uint8Array;
  /** Spans that a search found. */
  readonly found: ReadonlySet<number>;
};

/** Spans below each other, each as long as it took. Only the rows in sight exist, however many there are. */
export function Waterfall(props: Props): JSX.Element {
  const { spans, duration, selected, onSelect, folded, onFold, critical, found } = props;
  const rows = useMemo(() => unfolded(spans, folded), [spans, folded]);
  const place = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => SPAN_HEIGHT,
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  // A row that leaves on one side is used again on the other: cheaper than a new one.
  const slots = useRef(1);
  slots.current = Math.max(slots.current, shown.length);
  const at = rows.indexOf(selected);
  // For a link to a span far down, and for steps from outside.
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  const fold = (span: number, closed: boolean): void => {
    const next = new Set(folded);
    if (closed) next.add(span);
    else next.delete(span);
    onFold(next);
  };
  const sideways = (closes: boolean): void => {
    if (at < 0) return;
    const isOpen = (spans.below[selected] ?? 0) > 0 && !folded.has(selected);
    // As in other trees: left on what is closed leads to what it is below.
    const parent = ancestors(spans, selected).at(-1);
    if (closes && !isOpen && parent !== undefined) onSelect(parent);
    else if ((spans.below[selected] ?? 0) > 0) fold(selected, closes);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 15,
      PageUp: -15,
      Home: -rows.length,
      End: rows.length,
    }[event.key];
    if (step !== undefined) {
      const target = rows[Math.min(rows.length - 1, Math.max(0, at + step))];
      if (target !== undefined) onSelect(target);
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') sideways(event.key === 'ArrowLeft');
    else return;
    event.preventDefault();
  };
  const click = ({ target }: MouseEvent): void => {
    const element = target instanceof Element ? target : null;
    const row = element?.closest<HTMLElement>('[data-place]');
    if (row == null) return;
    const span = Number(row.dataset.place);
    if (element?.closest('button') != null) fold(span, !folded.has(span));
    else onSelect(span);
  };
  const whole = Math.max(duration, 0.001);
  return (
    <div
      ref={place}
      className={css.waterfall}
      data-partial=""
      style={{ maxHeight: virtual.getTotalSize() + HEAD_HEIGHT }}
      role="tree"
      aria-label="Spans"
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : idOfRow(spans, selected)}
      onKeyDown={press}
      onClick={click}
    >
      <div className={`${css.spanHead} dim`} aria-hidden="true">
        <span>Span</span>
        <span className="right">Tokens</span>
        <span className="right">Cost</span>
        <span className={css.ticks}>
          {duration > 0 &&
            [0, 0.25, 0.5, 0.75].map((part) => (
              <span key={part} style={{ left: `${part * 100}%` }}>
                {part === 0 ? '0' : durationText(whole * part)}
              </span>
            ))}
        </span>
      </div>
      <div className="vbody" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const span = rows[index] ?? 0;
          return (
            <SpanRow
              key={index % slots.current}
              spans={spans}
              place={span}
              whole={whole}
              top={start}
              selected={index === at}
              folded={folded.has(span)}
              critical={critical[span] === 1}
              found={found.has(span)}
            />
          );
        })}
      </div>
    </div>
  );
}
