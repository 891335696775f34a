import { type JSX, useMemo } from 'react';
import { Panel } from '../../dashboard/ui/panel.tsx';
import { countText, durationText, moneyText, percentText } from '../../lib/figures.ts';
import type { Segment } from './critical-path.ts';
import { costShares, type Share, timeShares } from './shares.ts';
import css from './trace-bar.module.css';
import type { Spans } from './trace-tree.ts';

type Props = {
  readonly spans: Spans;
  readonly segments: readonly Segment[];
  /** Of the trace, in milliseconds. */
  readonly duration: number;
  readonly onGo: (place: number) => void;
};

const SHOWN = 6;

/** Why a trace took as long as it did, and what its cost was spent on. */
export function TraceShares({ spans, segments, duration, onGo }: Props): JSX.Element | null {
  const time = useMemo(() => timeShares(spans, segments), [spans, segments]);
  const cost = useMemo(() => costShares(spans), [spans]);
  if (spans.below.length < 2 || (duration === 0 && cost.length === 0)) return null;
  return (
    <Panel flush>
      <div className={css.shares}>
        {duration > 0 && (
          <section>
            <h2>Critical path</h2>
            <p title="From the end of the trace backwards: at each moment it waited for the span that ended last, and while no span below it ran, for the span itself. Spans that ran beside these are not on the path.">
              {sentence(time[0], duration)}
            </p>
            <Shares of={time} write={durationText} onGo={onGo} />
          </section>
        )}
        {cost.length > 0 && (
          <section>
            <h2>Cost by span</h2>
            <p className="dim">{`${moneyText(cost.reduce((sum, { amount }) => sum + amount, 0))} in ${countText(
              cost.reduce((sum, { spans: own }) => sum + own, 0),
              'call',
            )}`}</p>
            <Shares of={cost} write={moneyText} onGo={onGo} />
          </section>
        )}
      </div>
    </Panel>
  );
}

function sentence(first: Share | undefined, duration: number): string {
  if (first === undefined) return '';
  const share = `${percentText(first.share)} of ${durationText(duration)}`;
  if (first.most < 0) return `${share} passed between spans.`;
  const calls = first.kind === 'llm' || first.kind === 'embedding';
  const often = first.spans > 1 ? ` (${countText(first.spans, calls ? 'call' : 'span')})` : '';
  return calls
    ? `${share} waited for ${first.name}${often}.`
    : `${share} was spent in ${first.name}${often}.`;
}

type SharesProps = {
  readonly of: readonly Share[];
  readonly write: (amount: number) => string;
  readonly onGo: (place: number) => void;
};

const Shares = ({ of, write, onGo }: SharesProps): JSX.Element => (
  <>
    {of.slice(0, SHOWN).map(({ name, kind, spans, amount, share, most }) => (
      <button
        key={`${kind} ${name}`}
        type="button"
        className={css.share}
        disabled={most < 0}
        onClick={() => onGo(most)}
      >
        <span className={css.shareName}>
          <i className={`kind kind-${kind}`} title={kind} />
          <span className="clip" title={name}>
            {name}
          </span>
          {spans > 1 && <span className="dim num">×{spans}</span>}
        </span>
        <span className={css.track}>
          <span style={{ width: `${share * 100}%` }} />
        </span>
        <span className="num dim">{percentText(share)}</span>
        <span className="num">{write(amount)}</span>
      </button>
    ))}
    {of.length > SHOWN && <span className="dim">{`and ${countText(of.length - SHOWN, 'other')}`}</span>}
  </>
);

const KINDS = ['llm', 'embedding', 'tool', 'retrieval', 'agent', 'chain', 'guardrail'];
const KIND_NAMES: Readonly<Record<string, string>> = { llm: 'model call' };

/** What the colours of the time line and of the names mean: those that are there. */
export function Legend({ spans, failed }: { spans: Spans; failed: boolean }): JSX.Element {
  const kinds = useMemo(() => {
    const there = new Set<string>(spans.kind);
    return KINDS.filter((kind) => there.has(kind));
  }, [spans]);
  return (
    <div className={css.legend}>
      <span>
        <i className={`${css.swatch} ${css.critical}`} /> critical path
      </span>
      <span>
        <i className={css.swatch} /> other spans
      </span>
      {failed && (
        <span>
          <i className={`${css.swatch} ${css.failed}`} /> failed
        </span>
      )}
      {kinds.map((kind) => (
        <span key={kind}>
          <i className={`kind kind-${kind}`} /> {KIND_NAMES[kind] ?? kind}
        </span>
      ))}
    </div>
  );
}
