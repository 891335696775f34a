import { type JSX, memo } from 'react';
import { Icon } from '../../dashboard/ui/icons.tsx';
import { compactText, durationText } from '../../lib/figures.ts';
import { moneyColumn } from '../../lib/money-column.ts';
import { isFailed, type Spans } from './trace-tree.ts';
import css from './waterfall.module.css';

export const SPAN_HEIGHT = 28;
const STEP = 14;
/** Deeper rows are indented no further, so that their names can be read. */
const DEEPEST = 16;

type Props = {
  readonly spans: Spans;
  readonly place: number;
  /** Of the trace, in milliseconds. */
  readonly whole: number;
  readonly top: number;
  readonly selected: boolean;
  readonly folded: boolean;
  /** Whether the trace would have ended sooner without it. */
  readonly critical: boolean;
  /** Whether a search found it. */
  readonly found: boolean;
};

/** The element of a span: what points at it from outside. */
export const idOfRow = (spans: Spans, place: number): string => `span-${spans.event_id[place]}`;

/**
 * One span: its name at its depth, what it and all below it used, and when it ran. Clicks and keys are the
 * tree's, so that a row is nothing but what is seen of it.
 */
export const SpanRow = memo(function SpanRow(props: Props): JSX.Element {
  const { spans, place, top, selected, folded, found } = props;
  const depth = spans.depth[place] ?? 0;
  const below = spans.below[place] ?? 0;
  return (
    <div
      id={idOfRow(spans, place)}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-selected={selected}
      {...(below > 0 ? { 'aria-expanded': !folded } : {})}
      className={found ? `${css.spanRow} ${css.spanFound}` : css.spanRow}
      data-place={place}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className={css.spanName} style={{ paddingLeft: 12 + Math.min(depth, DEEPEST) * STEP }}>
        <Name spans={spans} place={place} below={below} folded={folded} />
      </span>
      <Figure value={spans.tokens[place] ?? 0} text={compactText} />
      <Cost usd={spans.cost_usd[place] ?? 0} unpriced={spans.unpriced[place] ?? 0} />
      <Bar {...props} />
    </div>
  );
});

type NameProps = Pick<Props, 'spans' | 'place' | 'folded'> & { readonly below: number };

function Name({ spans, place, below, folded }: NameProps): JSX.Element {
  const name = spans.name[place] ?? '';
  const model = spans.model[place] ?? null;
  return (
    <>
      {below > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          className={folded ? `${css.fold} folded` : css.fold}
          aria-label={`${folded ? 'Expand' : 'Collapse'} ${name}`}
        >
          <Icon name="chevron" size={13} />
        </button>
      ) : (
        <i className={css.fold} />
      )}
      <i className={`kind kind-${spans.kind[place]}`} title={spans.kind[place]} />
      <span className="clip" title={name}>
        {name}
      </span>
      {model !== null && !name.includes(model) && <span className="dim clip">{model}</span>}
      {isFailed(spans, place) && (
        <span className="badge bad">{spans.error_code[place] ?? spans.status[place]}</span>
      )}
      {spans.orphan[place] && (
        <span className="badge warn" title="Its parent never arrived">
          orphan
        </span>
      )}
      {folded && <span className="badge">{compactText(below)}</span>}
    </>
  );
}

const Figure = ({ value, text }: { value: number; text: (value: number) => string }): JSX.Element => (
  <span className={value === 0 ? 'right num dim' : 'right num'}>{value === 0 ? '–' : text(value)}</span>
);

/** However many spans there are, the points stand below each other. */
const ofSpans = moneyColumn([0.0001]);

function Cost({ usd, unpriced }: { usd: number; unpriced: number }): JSX.Element {
  if (unpriced === 0) return <Figure value={usd} text={ofSpans} />;
  return (
    <span className="right num">
      <span className="warn">{usd > 0 ? '≥ ' : 'unpriced'}</span>
      {usd > 0 && ofSpans(usd)}
    </span>
  );
}

function Bar({ spans, place, whole, critical }: Props): JSX.Element {
  const latency = spans.latency_ms[place] ?? null;
  const left = Math.min(100, ((spans.start_ms[place] ?? 0) / whole) * 100);
  const width = Math.min(100 - left, ((latency ?? 0) / whole) * 100);
  // To the right of the bar; at the end of the lane to its left, or in it where it is long.
  const isLate = left + width > 78;
  const inside = isLate && left < 22;
  const label = isLate
    ? { right: `${inside ? 100 - left - width : 100 - left}%` }
    : { left: `${left + width}%` };
  const tone = isFailed(spans, place) ? css.barBad : critical ? css.barCritical : '';
  return (
    <span className={css.lane}>
      <span className={`${css.bar} ${tone}`} style={{ left: `${left}%`, width: `max(2px, ${width}%)` }} />
      {latency !== null && (
        <span
          className={inside ? `${css.barLabel} num ${css.barInside}` : `${css.barLabel} num`}
          style={label}
        >
          {durationText(latency)}
        </span>
      )}
    </span>
  );
}
