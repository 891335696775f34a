import type { JSX } from 'react';
import { MarkedCost } from '../../../core/pricing/money.tsx';
import { markOf } from '../../../lib/billing/cost-mark.ts';
import type { AlertMeasure } from '../contract.ts';
import { figureText, leftOutText, type Valued } from '../notify/texts.ts';
import css from './alert-table.module.css';

type Props = { readonly measure: AlertMeasure; readonly of: Valued };

/** A value of an alert; a cost is marked where calls without a price are not in it, and says how many. */
export function AlertFigure({ measure, of }: Props): JSX.Element {
  const { value, unpriced } = of;
  const mark = markOf(measure, value, unpriced);
  const leftOut = leftOutText(measure, of);
  if (value === null && mark !== 'unpriced') return <span className="dim">–</span>;
  return (
    <>
      <MarkedCost mark={mark}>{value === null ? '' : figureText(measure, value)}</MarkedCost>
      {leftOut !== null && <span className={`dim ${css.leftOut}`}>{leftOut}</span>}
    </>
  );
}
