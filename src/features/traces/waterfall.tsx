import { useVirtualizer } from '@tanstack/react-virtual';
import { type JSX, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type Span, unfolded } from '../../dashboard/trace-tree.ts';
import { durationText } from '../../lib/figures.ts';
import { SPAN_HEIGHT, SpanRow } from './span-row.tsx';

type Props = {
  readonly spans: readonly Span[];
  /** Of the trace, in milliseconds. */
  readonly duration: number;
  readonly selected: Span | undefined;
  readonly onSelect: (span: Span) => void;
};

/** Spans below each other, each as long as it took. Only the rows in sight exist, however many there are. */
export function Waterfall({ spans, duration, selected, onSelect }: Props): JSX.Element {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => unfolded(spans, folded), [spans, folded]);
  const place = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => SPAN_HEIGHT,
    overscan: 20,
  });
  const at = rows.findIndex((row) => row.node === selected?.node);
  // Once, for a link to a span far down.
  const arrived = useRef(false);
  useEffect(() => {
    if (arrived.current || at < 0) return;
    arrived.current = true;
    virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  const fold = (span: Span, closed: boolean): void => {
    const next = new Set(folded);
    if (closed) next.add(span.node.event_id);
    else next.delete(span.node.event_id);
    setFolded(next);
  };
  const press = (event: KeyboardEvent): void => {
    const current = rows[at];
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
    } else if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && current !== undefined) {
      if (current.below > 0) fold(current, event.key === 'ArrowLeft');
    } else return;
    event.preventDefault();
  };
  const whole = Math.max(duration, 0.001);
  return (
    <div
      ref={place}
      className="waterfall"
      role="tree"
      aria-label="Spans"
      tabIndex={0}
      aria-activedescendant={selected === undefined || at < 0 ? undefined : `span-${selected.node.event_id}`}
      onKeyDown={press}
    >
      <div className="span-head dim" aria-hidden="true">
        <span>Span</span>
        <span className="right">Tokens</span>
        <span className="right">Cost</span>
        <span className="ticks">
          {[0, 0.25, 0.5, 0.75].map((part) => (
            <span key={part} style={{ left: `${part * 100}%` }}>
              {durationText(whole * part)}
            </span>
          ))}
        </span>
      </div>
      <div className="vbody" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const span = rows[index];
          if (span === undefined) return null;
          return (
            <SpanRow
              key={span.node.event_id}
              span={span}
              whole={whole}
              top={start}
              selected={index === at}
              folded={folded.has(span.node.event_id)}
              onSelect={onSelect}
              onFold={fold}
            />
          );
        })}
      </div>
    </div>
  );
}
