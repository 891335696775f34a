import type { JSX } from 'react';
import { measureOf } from '../../../dashboard/shell/metrics/names.ts';
import { FIGURES } from '../../../dashboard/ui/format.ts';
import { markOf } from '../../../lib/billing/cost-mark.ts';
import { MarkedCost } from '../../pricing/money.tsx';

type Props = {
  readonly measure: string;
  readonly value: number | null | undefined;
  /** Calls beside it that no cost includes. */
  readonly unpriced?: number | null | undefined;
  /** How the values of its column are written. */
  readonly write?: ((value: number) => string) | undefined;
};

/** A value of a metrics reply; a cost is marked where calls without a price are not in it. */
export function MetricFigure({ measure, value = null, unpriced, write }: Props): JSX.Element {
  const mark = markOf(measure, value, unpriced);
  if (value === null && mark !== 'unpriced') return <span className="dim">–</span>;
  const text = value === null ? '' : (write ?? FIGURES[measureOf(measure).kind].full)(value);
  return <MarkedCost mark={mark}>{text}</MarkedCost>;
}
