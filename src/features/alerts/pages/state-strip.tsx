import type { JSX } from 'react';
import type { FiringRange } from '../../../dashboard/shell/alerts/firing-ranges.ts';
import { countText } from '../../../lib/figures.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { ListedAlert } from './alerts-api.ts';
import css from './state-strip.module.css';

export const STRIP_DAYS = 7;
const LENGTH = STRIP_DAYS * DAY_MS;
/** Shorter times are drawn as wide as this, so that they can be seen. */
const LEAST = 0.02;

type Props = {
  readonly alert: Pick<ListedAlert, 'createdAt' | 'evaluatedAt'>;
  readonly ranges: readonly FiringRange[];
  /** Epoch milliseconds of the right end. */
  readonly now: number;
};

/** When an alert was ok and when it fired in the last days, as a strip; empty where it was not judged. */
export function StateStrip({ alert, ranges, now }: Props): JSX.Element {
  const place = (at: string): number => Math.min(1, Math.max(0, 1 - (now - Date.parse(at)) / LENGTH));
  const [start, end] = [place(alert.createdAt), alert.evaluatedAt === null ? 0 : place(alert.evaluatedAt)];
  const text =
    ranges.length === 0
      ? 'did not fire'
      : `fired ${ranges.length === 1 ? 'once' : countText(ranges.length, 'time')}`;
  return (
    <span className={css.strip} role="img" aria-label={`Last ${STRIP_DAYS} days: ${text}`}>
      {end > start && <i className={css.ok} style={{ left: percent(start), width: percent(end - start) }} />}
      {ranges.map(({ from, to, severity }) => {
        const left = place(from);
        const width = Math.max(LEAST, (to === null ? 1 : place(to)) - left);
        return (
          <i
            key={from}
            className={severity === 'critical' ? css.critical : css.warning}
            style={{ left: percent(Math.min(left, 1 - width)), width: percent(width) }}
          />
        );
      })}
    </span>
  );
}

const percent = (fraction: number): string => `${fraction * 100}%`;
