import { useVirtualizer } from '@tanstack/react-virtual';
import { type JSX, type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { durationText } from '../../lib/figures.ts';
import { idOfRow, SPAN_HEIGHT, SpanRow } from './span-row.tsx';
import { criticalPath, type Spans, unfolded } from './trace-tree.ts';
import css from './waterfall.module.css';

const HEAD_HEIGHT = 40;

type Props = {
  readonly spans: Spans;
  /** Of the trace, in milliseconds. */
  readonly duration: number;
  /** The place of the span that is shown in full; -1 for none. */
  readonly selected: number;
  readonly onSelect: (place: number) => void;
};

/** Spans below each other, each as long as it took. Only the rows in sight exist, however many there are. */
export function Waterfall({ spans, duration, selected, onSelect }: Props): JSX.Element {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => unfolded(spans, folded), [spans, folded]);
  const critical = useMemo(() => criticalPath(spans), [spans]);
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
  // Once, for a link to a span far down.
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current || at < 0) return;
    arrived.current = true;
    virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  const fold = (span: number, closed: boolean): void => {
    const next = new Set(folded);
    if (closed) next.add(span);
    else next.delete(span);
    setFolded(next);
  };
  const press = (event: KeyboardEvent): void => {
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 15,
      PageUp: -15,
      Home: -rows.length,
      End: rows.length,
    }[event.key];
    if (step !== undefined) {
      const to = Math.min(rows.length - 1, Math.max(0, at + step));
      const target = rows[to];
      virtual.scrollToIndex(to);
      if (target !== undefined) onSelect(target);
    } else if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && at >= 0) {
      if ((spans.below[selected] ?? 0) > 0) fold(selected, event.key === 'ArrowLeft');
    } else return;
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
          {[0, 0.25, 0.5, 0.75].map((part) => (
            <span key={part} style={{ left: `${part * 100}%` }}>
              {durationText(whole * part)}
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
            />
          );
        })}
      </div>
    </div>
  );
}
