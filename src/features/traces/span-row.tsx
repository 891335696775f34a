import { type JSX, memo } from 'react';
import type { Span } from '../../dashboard/trace-tree.ts';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { compactText, durationText, moneyText } from '../../lib/figures.ts';

export const SPAN_HEIGHT = 28;
const STEP = 14;
/** Deeper rows are indented no further, so that their names can be read. */
const DEEPEST = 16;

type Props = {
  readonly span: Span;
  /** Of the trace, in milliseconds. */
  readonly whole: number;
  readonly top: number;
  readonly selected: boolean;
  readonly folded: boolean;
  readonly onSelect: (span: Span) => void;
  readonly onFold: (span: Span, closed: boolean) => void;
};

const isFailed = ({ node: { status } }: Span): boolean => status !== 'success' && status !== 'cancelled';

/** One span: its name at its depth, what it and all below it used, and when it ran. */
export const SpanRow = memo(function SpanRow(props: Props): JSX.Element {
  const { span, whole, top, selected, folded, onSelect, onFold } = props;
  const { node, depth } = span;
  const failed = isFailed(span);
  const name = node.name ?? node.model ?? node.operation;
  const left = Math.min(100, (span.start / whole) * 100);
  const width = Math.min(100 - left, ((span.end - span.start) / whole) * 100);
  // To the right of the bar; at the end of the lane to its left, or in it where it is long.
  const isLate = left + width > 78;
  const inside = isLate && left < 22;
  const label = isLate
    ? { right: `${inside ? 100 - left - width : 100 - left}%` }
    : { left: `${left + width}%` };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around takes the keys
    <div
      id={`span-${node.event_id}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={selected}
      {...(span.below > 0 ? { 'aria-expanded': !folded } : {})}
      className="span-row"
      style={{ transform: `translateY(${top}px)`, height: SPAN_HEIGHT }}
      onClick={() => onSelect(span)}
    >
      <span className="span-name" style={{ paddingLeft: 12 + Math.min(depth, DEEPEST) * STEP }}>
        {span.below > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            className={`fold ${folded ? 'folded' : ''}`}
            aria-label={folded ? `Show what is below ${name}` : `Hide what is below ${name}`}
            onClick={(event) => {
              event.stopPropagation();
              onFold(span, !folded);
            }}
          >
            <Icon name="chevron" size={13} />
          </button>
        ) : (
          <i className="fold" />
        )}
        <i className={`kind kind-${node.kind}`} title={node.kind} />
        <span className="clip" title={name}>
          {name}
        </span>
        {node.model !== null && node.name !== null && !node.name.includes(node.model) && (
          <span className="dim clip">{node.model}</span>
        )}
        {failed && <span className="badge bad">{node.error_code ?? node.status}</span>}
        {node.orphan && (
          <span className="badge warn" title="Its parent never arrived">
            orphan
          </span>
        )}
        {folded && <span className="badge">{compactText(span.below)}</span>}
      </span>
      <span className="right num">
        {span.tokens === 0 ? <span className="dim">–</span> : compactText(span.tokens)}
      </span>
      <span className="right num">
        <Cost span={span} />
      </span>
      <span className="lane">
        <span
          className={`bar ${failed ? 'bar-bad' : span.critical ? 'bar-critical' : ''}`}
          style={{ left: `${left}%`, width: `max(2px, ${width}%)` }}
        />
        <span className={`bar-label num ${inside ? 'bar-inside' : ''}`} style={label}>
          {node.latency_ms === null ? '' : durationText(node.latency_ms)}
        </span>
      </span>
    </div>
  );
});

function Cost({ span: { cost, unpriced } }: { span: Span }): JSX.Element {
  if (cost === 0 && unpriced > 0) return <span className="warn">unpriced</span>;
  if (cost === 0) return <span className="dim">–</span>;
  return (
    <>
      {moneyText(cost)}
      {unpriced > 0 && <span className="warn"> +?</span>}
    </>
  );
}
