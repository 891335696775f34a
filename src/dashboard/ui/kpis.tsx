import { Skeleton } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import type { CostMark } from '../../lib/billing/cost-mark.ts';
import { changeOf, pointsOf } from '../../lib/figures.ts';
import { FIGURES, type FigureKind, timeText } from './format.ts';
import css from './kpis.module.css';

export type Kpi = {
  readonly id: string;
  readonly label: string;
  readonly kind: FigureKind;
  readonly value: number;
  /** Of the period before; left out where there is nothing to compare with. */
  readonly previous?: number | undefined;
  /** What a rise means. */
  readonly rising?: 'good' | 'bad' | 'neutral';
  /** Instead of the change. */
  readonly note?: ReactNode;
  /** Below the value, which the change is then beside. */
  readonly aside?: ReactNode;
  /** Shown in place of the value where there is none to tell, such as a latency without calls. */
  readonly missing?: boolean;
  /** Of a cost: whether calls without a price are left out. */
  readonly mark?: CostMark;
};

type Props = {
  readonly kpis: readonly Kpi[];
  /** `recordedSince` of the reply: counts and sums are not compared with a time that is recorded in part. */
  readonly recordedSince?: string | undefined;
  /** The figure that the chart below shows; with `onSelect` each figure is a button. */
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
};

/** A row of figures, each with its change against the period before. */
export const Kpis = ({ kpis, recordedSince, selected, onSelect }: Props): JSX.Element => (
  <div className={css.kpis}>
    {kpis.map((kpi) =>
      onSelect === undefined ? (
        <div key={kpi.id} className={css.kpi}>
          <Figure {...kpi} since={recordedSince} />
        </div>
      ) : (
        <button
          key={kpi.id}
          type="button"
          className={css.kpi}
          aria-pressed={kpi.id === selected}
          onClick={() => onSelect(kpi.id)}
        >
          <Figure {...kpi} since={recordedSince} />
        </button>
      ),
    )}
  </div>
);

type Compared = Kpi & { readonly since: string | undefined };

const Figure = (kpi: Compared): JSX.Element => (
  <>
    {kpi.label !== '' && <span className={css.kpiLabel}>{kpi.label}</span>}
    <span className={css.kpiValue} title={kpi.missing ? undefined : FIGURES[kpi.kind].full(kpi.value)}>
      <span>
        <Value {...kpi} />
      </span>
      {kpi.aside !== undefined && (
        <span className={css.kpiBeside}>
          <Change {...kpi} />
        </span>
      )}
    </span>
    {(kpi.note !== undefined || kpi.aside !== undefined || kpi.previous !== undefined) && (
      <span className={css.kpiNote}>{kpi.aside ?? kpi.note ?? <Change {...kpi} />}</span>
    )}
  </>
);

function Value({ kind, value, missing, mark }: Kpi): JSX.Element {
  if (mark === 'unpriced') return <span className="badge warn">unpriced</span>;
  if (missing) return <span className="dim">–</span>;
  return (
    <>
      {mark === 'minimum' && <span className="warn">≥ </span>}
      {FIGURES[kind].short(value)}
    </>
  );
}

/** A time that is recorded in part has less of them. */
const isSum = (kind: FigureKind): boolean => kind === 'count' || kind === 'money' || kind === 'bytes';

/** Against the period before: points for fractions, percent for all else. */
function Change(kpi: Compared): JSX.Element | null {
  const { kind, value, previous, rising = 'neutral', missing = false, since } = kpi;
  if (previous === undefined || missing) return null;
  if (since !== undefined && previous !== 0 && isSum(kind))
    return (
      <span className="dim" title={`Before: ${FIGURES[kind].full(previous)}, recorded in part`}>
        recorded since {timeText.day(since, 'UTC')}
      </span>
    );
  const change = kind === 'fraction' ? pointsOf(value, previous) : changeOf(value, previous);
  if (change === null) return <span className="dim">nothing before</span>;
  const tone =
    rising === 'neutral' || change.sign === 0 || change.text.startsWith('>')
      ? 'dim'
      : change.sign > 0 === (rising === 'good')
        ? 'good'
        : 'bad';
  return (
    <span className={tone} title={`Before: ${FIGURES[kind].full(previous)}`}>
      {change.text}
    </span>
  );
}

/** As tall as the row that follows. */
export const LoadingKpis = ({ count }: { count: number }): JSX.Element => (
  <div className={css.kpis} role="status" aria-label="Loading">
    {Array.from({ length: count }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all alike
      <div key={i} className={css.kpi}>
        <span className={css.kpiLabel}>
          <Skeleton height={9} width={60} mt={4} />
        </span>
        <span className={css.kpiValue}>
          <Skeleton height={16} width={84} my={6} />
        </span>
        <span className={css.kpiNote} />
      </div>
    ))}
  </div>
);
