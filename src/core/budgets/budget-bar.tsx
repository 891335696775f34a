import type { JSX } from 'react';
import { percentText } from '../../lib/figures.ts';
import css from './budget-bar.module.css';
import type { Budget } from './contract.ts';

/** How far a budget is: over its limit, past a level, or quiet. */
const toneOf = ({ status }: Budget): 'bad' | 'warn' | 'quiet' =>
  status.fraction >= 1 ? 'bad' : status.level === null ? 'quiet' : 'warn';

const percent = (fraction: number): string => `${Math.min(100, fraction * 100)}%`;

const SPENT = { quiet: css.budgetQuiet, warn: css.budgetWarn, bad: css.budgetBad };

/** How much of a budget is spent, with its thresholds as marks and the forecast in a lighter tone. */
export function BudgetBar({ budget }: { budget: Budget }): JSX.Element {
  const { levels, limitUsd, status } = budget;
  const tone = toneOf(budget);
  const reached = status.level === null ? '' : `, past the ${status.level}% threshold`;
  return (
    <span className={css.budgetUsed}>
      <span
        className={css.budgetBar}
        title={`Thresholds at ${levels.join(', ')}%${reached}`}
        role="img"
        aria-label={`${percentText(status.fraction)} used${reached}`}
      >
        <span
          className={css.budgetExpected}
          style={{ width: percent((status.projectedUsd ?? 0) / limitUsd) }}
        />
        <span className={SPENT[tone]} style={{ width: percent(status.fraction) }} />
        {levels
          .filter((level) => level < 100)
          .map((level) => (
            <span key={level} className={css.budgetLevel} style={{ left: `${level}%` }} />
          ))}
      </span>
      <span className={`num ${tone === 'quiet' ? 'dim' : tone}`}>{percentText(status.fraction)}</span>
    </span>
  );
}
