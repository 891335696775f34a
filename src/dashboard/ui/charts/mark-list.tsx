import type { JSX } from 'react';
import css from './marks.module.css';
import type { Timed } from './marks.ts';
import type { ChartMark, ChartRange } from './time-series.ts';

/** A mark or a range as a chart shows it. */
export type ShownMark = Timed<ChartMark | ChartRange>;

export const markKey = ({ start, name }: ShownMark): string => `${start} ${name}`;

/** Names of marks, with their times and links. */
export const MarkList = ({ marks }: { marks: readonly ShownMark[] }): JSX.Element => (
  <ul className={css.list}>
    {marks.map((mark) => (
      <li key={markKey(mark)}>
        {mark.link === undefined ? mark.name : mark.link(mark.name)} <span className="dim">{mark.when}</span>
      </li>
    ))}
  </ul>
);
