import type { CSSProperties, JSX, ReactNode } from 'react';
import css from './chart.module.css';

type Props = { readonly style: CSSProperties; readonly children: ReactNode };

/** A tooltip at a place of a chart that draws itself; `style` says where. */
export const TipBox = ({ style, children }: Props): JSX.Element => (
  <div className={`${css.tip} ${css.tipBox}`} style={style}>
    {children}
  </div>
);
