import { ActionIcon, Tooltip } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import css from './chart.module.css';

type Props = {
  readonly asTable: boolean;
  /** Called with whether the table is to be shown. */
  readonly onSwitch: (asTable: boolean) => void;
  /** Beside the switch, to its left. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/** What is above a chart: `children` to the left; actions and the switch between chart and table to the right. */
export function ChartHead({ asTable, onSwitch, actions, children }: Props): JSX.Element {
  const label = asTable ? 'Show as a chart' : 'Show as a table';
  return (
    <div className={css.chartHead}>
      {children}
      <span className={css.chartActions}>
        {actions}
        <Tooltip label={label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={label}
            onClick={() => onSwitch(!asTable)}
          >
            <Icon name={asTable ? 'chart' : 'table'} size={15} />
          </ActionIcon>
        </Tooltip>
      </span>
    </div>
  );
}
